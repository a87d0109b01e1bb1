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
    /// Whether the command is `serve`. The other commands do not know its flags.
    let isServing: Bool
    /// The texts of the flags that were given, by their names.
    private let flags: [String: String]
    private let config: ConfigReader

    /// - Parameter serveOptions: Nil for other commands than `serve`.
    init(_ options: DatabaseOptions, _ serveOptions: ServeOptions? = nil) async throws {
        let environment = EnvironmentVariablesProvider()
        let path =
            options[\.settings] ?? ConfigReader(provider: environment).string(forKey: "causeboard.settings")
            ?? InstalledService.settings
        file = try path.map { path throws(CommandError) in try SettingsFile(path) }
        let config = ConfigReader(providers: [
            environment, EnvironmentVariablesProvider(environmentVariables: file?.values ?? [:]),
        ])
        self.config = config
        let flags = options.texts.merging(serveOptions?.texts ?? [:]) { first, _ in first }
        (self.flags, isServing) = (flags, serveOptions != nil)
        func value<Value>(_ path: KeyPath<SettingList, Setting<Value>>) throws(CommandError) -> Value {
            try SettingList.all[keyPath: path].value(flags, config)
        }
        let (data, url, secretFile) = (options[\.data], options[\.databaseURL], options[\.secretFile])
        for (flag, name) in [(data, "--data"), (url, "--database-url"), (secretFile, "--secret-file")] {
            if flag?.isEmpty == true { throw CommandError("\(name) is empty. Give a value, or leave it out.") }
        }
        if data != nil, url != nil {
            throw CommandError("--data and --database-url name two databases. Give one of them.")
        }
        if data == nil, let url = try value(\.databaseURL) {
            location = .url(url)
        } else {
            location = .embedded(dataDirectory: try value(\.data) ?? Self.standardDataDirectory(config))
            LoginEnvironment.clear()
        }
        secretHex = try value(\.secret)
        self.secretFile = try value(\.secretFile)
        pgBin = try value(\.pgBin)
        func text(_ key: ConfigKey) -> String? { config.string(forKey: key).flatMap { $0.isEmpty ? nil : $0 } }
        runtimeDirectory = InstalledService.runtimeDirectory ?? text("xdg.runtime.dir")
        serviceManager = ServiceManager(
            socket: text("notify.socket"), watchdogMicroseconds: text("watchdog.usec"),
            watchdogProcess: text("watchdog.pid"))
        logFormat = try value(\.logFormat)
        logLevel = try value(\.logLevel).map { level throws(CommandError) in
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
    /// - Parameter flag: The text of a flag of the command's own.
    /// - Throws: ``CommandError`` for a bad value, and for an empty flag of a setting that is no text.
    func value<Value>(_ path: KeyPath<SettingList, Setting<Value>>, _ flag: String? = nil) throws(CommandError) -> Value
    {
        let setting = SettingList.all[keyPath: path]
        return try setting.value(flag.flatMap { flag in setting.name.map { [$0: flag] } } ?? flags, config)
    }

    /// Reads all settings.
    /// - Returns: Their values, by their names in the environment.
    func values() throws(CommandError) -> [String: any Sendable] {
        var values: [String: any Sendable] = [:]
        for setting in SettingList.all.named { values[setting.environment] = try setting.anyValue(flags, config) }
        return values
    }

    private static func standardDataDirectory(_ config: ConfigReader) -> String {
        if geteuid() == 0 || InstalledService.isOurs { return InstalledService.stateDirectory }
        if let share = config.string(forKey: "xdg.data.home"), !share.isEmpty { return "\(share)/causeboard" }
        return "\(config.string(forKey: "home") ?? ".")/.local/share/causeboard"
    }
}
