import Configuration
import Domain
import Glibc
import Logging
import Postgres

/// The settings of every command. A flag wins over the environment, which wins over the settings file. The article
/// Settings has the table.
struct Settings: Sendable {
    /// Where the database is.
    enum DatabaseLocation: Sendable {
        case embedded(dataDirectory: String)
        case url(String)
    }

    private(set) var location: DatabaseLocation
    private(set) var secretHex: String?
    private(set) var secretFile: String?
    /// Nil when there is none.
    let file: SettingsFile?
    let logLevel: Logger.Level?
    let logFormat: LogFormat
    let pgBin: String?
    let runtimeDirectory: String?
    /// Who started this process and wants to hear of it, such as systemd.
    let serviceManager: ServiceManager?
    private let config: ConfigReader

    init(_ options: DatabaseOptions) async throws {
        let environment = EnvironmentVariablesProvider()
        let path =
            options.settings ?? ConfigReader(provider: environment).string(forKey: "causeboard.settings")
            ?? InstalledService.settings
        file = try path.map { path throws(CommandError) in try SettingsFile(path) }
        let config = ConfigReader(providers: [
            environment, EnvironmentVariablesProvider(environmentVariables: file?.values ?? [:]),
        ])
        self.config = config
        func text(_ flag: String?, _ key: ConfigKey) -> String? { Self.text(flag, key, in: config) }
        for (flag, name) in [
            (options.data, "--data"), (options.databaseURL, "--database-url"), (options.secretFile, "--secret-file"),
        ] { if flag?.isEmpty == true { throw CommandError("\(name) is empty. Give a value, or leave it out.") } }
        if options.data != nil, options.databaseURL != nil {
            throw CommandError("--data and --database-url name two databases. Give one of them.")
        }
        if options.data == nil, let url = text(options.databaseURL, "database.url") {
            location = .url(url)
        } else {
            location = .embedded(
                dataDirectory: text(options.data, "causeboard.data") ?? Self.standardDataDirectory(config))
            LoginEnvironment.clear()
        }
        secretHex = text(nil, "causeboard.secret")
        secretFile = text(options.secretFile, "causeboard.secret.file")
        pgBin = text(nil, "causeboard.pg.bin")
        runtimeDirectory = InstalledService.runtimeDirectory ?? text(nil, "xdg.runtime.dir")
        serviceManager = ServiceManager(
            socket: text(nil, "notify.socket"), watchdogMicroseconds: text(nil, "watchdog.usec"),
            watchdogProcess: text(nil, "watchdog.pid"))
        let format = text(options.logFormat, "causeboard.log.format") ?? "text"
        guard let known = LogFormat(rawValue: format.lowercased()) else {
            throw CommandError("\(format) is no format of the log. Give text or json.")
        }
        logFormat = known
        if let level = text(options.logLevel, "causeboard.log.level") {
            guard let known = Logger.Level(rawValue: level.lowercased()) else {
                throw CommandError(
                    """
                    \(level) is no log level. \
                    Give one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")).
                    """)
            }
            logLevel = known
        } else {
            logLevel = nil
        }
    }

    /// The same settings for a scratch database with a secret of its own.
    func scratch(at dataDirectory: String) -> Settings {
        var settings = self
        settings.location = .embedded(dataDirectory: dataDirectory)
        (settings.secretHex, settings.secretFile) = (nil, nil)
        return settings
    }

    /// The data directory of an embedded database that does not exist yet; nil otherwise.
    var emptyDataDirectory: String? {
        guard case .embedded(let directory) = location, access("\(directory)/postgres/PG_VERSION", F_OK) != 0,
            errno == ENOENT
        else { return nil }
        return directory
    }

    /// - Throws: ``CommandError`` when the embedded database does not exist yet.
    func requireDatabase() throws {
        guard let directory = emptyDataDirectory else { return }
        throw CommandError(
            """
            There is no database in \(directory) yet. `causeboard serve` makes it; \
            or name another directory with --data.
            """)
    }

    /// Reads a text setting of `serve`; nil when it is missing or empty.
    func text(_ flag: String?, _ key: ConfigKey) -> String? { Self.text(flag, key, in: config) }

    /// An empty setting counts as missing.
    private static func text(_ flag: String?, _ key: ConfigKey, in config: ConfigReader) -> String? {
        let text = flag ?? config.string(forKey: key)
        return text?.isEmpty == true ? nil : text
    }

    /// Reads a whole number of `serve`.
    /// - Throws: ``CommandError`` when it is not a number or out of range.
    func number(_ flag: Int?, _ key: ConfigKey, named name: String, in range: ClosedRange<Int>, standard: Int) throws
        -> Int
    {
        var number = flag
        if number == nil, let text = text(nil, key) {
            guard let parsed = Int(text) else {
                throw CommandError("\(name) is no number. Give \(range.lowerBound) to \(range.upperBound).")
            }
            number = parsed
        }
        guard let number else { return standard }
        guard range.contains(number) else {
            throw CommandError("\(name) is out of range. Give \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// Reads a yes-or-no setting of `serve`. It is on when the flag or the setting says so.
    func isOn(_ flag: Bool, _ key: ConfigKey, named name: String) throws -> Bool {
        switch text(nil, key)?.lowercased() {
        case "1", "true", "yes", "on": return true
        case "0", "false", "no", "off", nil: return flag
        default: throw CommandError("\(name) is neither yes nor no. Give one of them.")
        }
    }

    /// Whether a database is accepted that may lose what it has committed, for tests and trials.
    var acceptsUnsafeDurability: Bool {
        get throws { try isOn(false, "causeboard.unsafe.durability", named: "CAUSEBOARD_UNSAFE_DURABILITY") }
    }

    private static func standardDataDirectory(_ config: ConfigReader) -> String {
        if geteuid() == 0 || InstalledService.isOurs { return InstalledService.stateDirectory }
        if let share = config.string(forKey: "xdg.data.home"), !share.isEmpty { return "\(share)/causeboard" }
        return "\(config.string(forKey: "home") ?? ".")/.local/share/causeboard"
    }
}
