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
        func value<Value>(_ path: KeyPath<SettingList, Setting<Value>>, _ flag: String?) throws(CommandError) -> Value {
            try Self.value(path, flag, in: config)
        }
        for (flag, name) in [
            (options.data, "--data"), (options.databaseURL, "--database-url"), (options.secretFile, "--secret-file"),
        ] { if flag?.isEmpty == true { throw CommandError("\(name) is empty. Give a value, or leave it out.") } }
        if options.data != nil, options.databaseURL != nil {
            throw CommandError("--data and --database-url name two databases. Give one of them.")
        }
        if options.data == nil, let url = try value(\.databaseURL, options.databaseURL) {
            location = .url(url)
        } else {
            location = .embedded(dataDirectory: try value(\.data, options.data) ?? Self.standardDataDirectory(config))
            LoginEnvironment.clear()
        }
        secretHex = try value(\.secret, nil)
        secretFile = try value(\.secretFile, options.secretFile)
        pgBin = try value(\.pgBin, nil)
        func text(_ key: ConfigKey) -> String? { config.string(forKey: key).flatMap { $0.isEmpty ? nil : $0 } }
        runtimeDirectory = InstalledService.runtimeDirectory ?? text("xdg.runtime.dir")
        serviceManager = ServiceManager(
            socket: text("notify.socket"), watchdogMicroseconds: text("watchdog.usec"),
            watchdogProcess: text("watchdog.pid"))
        logFormat = try value(\.logFormat, options.logFormat)
        logLevel = try value(\.logLevel, options.logLevel).map { level throws(CommandError) in
            guard let known = Logger.Level(rawValue: level.lowercased()) else {
                throw CommandError(
                    """
                    \(level) is no log level. \
                    Give one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")).
                    """)
            }
            return known
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

    /// Reads a setting. One that is missing or empty has its default.
    /// - Parameter flag: The text of its flag, which the environment does not replace even if it is empty; nil when it
    ///   was not given.
    /// - Throws: ``CommandError`` for a bad value, and for an empty flag of a setting that is no text.
    func value<Value>(_ path: KeyPath<SettingList, Setting<Value>>, _ flag: String? = nil) throws(CommandError) -> Value
    { try Self.value(path, flag, in: config) }

    /// Reads a yes-or-no setting. It is on when the flag or the setting says so.
    func isOn(_ path: KeyPath<SettingList, Setting<Bool>>, _ flag: Bool? = nil) throws(CommandError) -> Bool {
        try value(path, flag == true ? "on" : nil)
    }

    /// Reads a list. The flag may be given several times.
    func list(_ path: KeyPath<SettingList, Setting<[String]>>, _ flags: [String]? = nil) throws(CommandError)
        -> [String]
    { try value(path, flags.flatMap { $0.isEmpty ? nil : $0.joined(separator: ",") }) }

    private static func value<Value>(
        _ path: KeyPath<SettingList, Setting<Value>>, _ flag: String?, in config: ConfigReader
    ) throws(CommandError) -> Value {
        let setting = SettingList.all[keyPath: path]
        if flag?.isEmpty == true, setting.parse("") == nil {
            throw CommandError("\(setting.label) is empty. Give a value, or leave it out.")
        }
        guard let text = flag ?? config.string(forKey: setting.key), !text.isEmpty else { return setting.standard }
        guard let value = setting.parse(text) else {
            throw CommandError("\(setting.label) is \(setting.expected), not \(text).")
        }
        return value
    }

    private static func standardDataDirectory(_ config: ConfigReader) -> String {
        if geteuid() == 0 || InstalledService.isOurs { return InstalledService.stateDirectory }
        if let share = config.string(forKey: "xdg.data.home"), !share.isEmpty { return "\(share)/causeboard" }
        return "\(config.string(forKey: "home") ?? ".")/.local/share/causeboard"
    }
}
