import Domain
import FoundationEssentials
import HTTP
import HTTPServer
import Leaderboard
import Logging
import Telemetry

/// The settings of `serve`. Each that ``SettingList`` declares is a property: `serving.port`. Those that need further
/// checks, or belong together, are stored properties here.
@dynamicMemberLookup struct ServeSettings: Sendable {
    /// The values, by their names in the environment.
    private let values: [String: any Sendable]
    let publicURL: String?
    let clients: ClientSettings
    /// Nil without an admin listener.
    let admin: AdminAddress?
    /// Nil without an archive.
    let archive: ArchiveServing?
    let room: RoomSettings
    let transport: TransportSettings
    let traces: TraceSettings

    init(_ settings: Settings) throws {
        values = try settings.values()
        publicURL = try PublicURL.checked(settings.value(\.publicURL))
        clients = try ClientSettings(settings)
        admin = try AdminAddress.parsed(settings.value(\.adminListen))
        archive = try ArchiveServing(settings)
        room = try RoomSettings(
            reserve: DiskReserveRule(bytes: settings.value(\.diskReserve).map { Int64($0) << 20 }),
            databaseBytesMax: settings.value(\.databaseMax).map { Int64($0) << 20 })
        // Other commands do not know the flags of `serve`, without which the rest may look incomplete.
        if settings.isServing {
            transport = try TransportSettings(settings, port: settings.value(\.port), publicURL: publicURL)
            traces = try TraceSettings(settings)
        } else {
            (transport, traces) = (.none, .off)
        }
    }

    subscript<Value>(dynamicMember path: KeyPath<SettingList, Setting<Value>>) -> Value {
        let setting = SettingList.all[keyPath: path]
        guard let read = values[setting.environment], let value = read as? Value else {
            preconditionFailure("\(setting.environment) is declared twice")
        }
        return value
    }

    /// Whether other machines can reach the server, directly or through a proxy.
    var isPublic: Bool { !["127.0.0.1", "::1", "localhost"].contains(self.host) || !clients.proxies.isEmpty }

    /// Where a person on this machine opens the home page: the public URL, or the address that is listened on.
    func homePage(scheme: String, port: Int) -> String {
        publicURL ?? "\(scheme)://\(AdminAddress.urlHost(HealthQuestion.reachableHost(self.host))):\(port)/"
    }

    /// - Throws: ``CommandError`` when the file cannot be written.
    func openAccessLog(logger: Logger) throws -> AccessLog? {
        try self.accessLog.map { path in
            do { return try AccessLog(path, reserve: room.reserve, logger: logger) } catch {
                throw CommandError("\(error). Choose another file with --access-log.")
            }
        }
    }
}

/// The disk space that the database may use.
struct RoomSettings: Sendable {
    let reserve: DiskReserveRule
    /// Nil for no bound.
    let databaseBytesMax: Int64?
}

/// Where spans go, and of how many requests.
struct TraceSettings: Sendable {
    let collector: HTTPAddress?
    /// A file, or `-` for standard output.
    let lines: String?
    /// 0...1; 0 while spans go nowhere.
    let ratio: Double

    static let off = TraceSettings(collector: nil, lines: nil, ratio: 0)

    private init(collector: HTTPAddress?, lines: String?, ratio: Double) {
        (self.collector, self.lines, self.ratio) = (collector, lines, ratio)
    }

    init(_ settings: Settings) throws(CommandError) {
        collector = try settings.value(\.traceOtlp).map { text throws(CommandError) in
            guard let address = HTTPAddress(text, standardPath: "/v1/traces") else {
                throw CommandError(
                    """
                    --trace-otlp (CAUSEBOARD_TRACE_OTLP) is the URL of a collector of traces, such as \
                    http://127.0.0.1:4318/v1/traces, without user and query.
                    """)
            }
            return address
        }
        lines = try settings.value(\.traceLines)
        let share = try settings.value(\.traceSample)
        ratio = collector == nil && lines == nil ? 0 : share
    }

    var isOn: Bool { collector != nil || lines != nil }
}

/// The base of absolute links.
enum PublicURL {
    static func checked(_ text: String?) throws(CommandError) -> String? {
        guard let text else { return nil }
        guard let url = URL(string: text), let scheme = url.scheme, ["http", "https"].contains(scheme),
            url.host?.isEmpty == false, url.query == nil, url.fragment == nil
        else {
            throw CommandError(
                "--public-url is the address under which the server is known, such as https://scores.example.org")
        }
        return text
    }

    /// Whether it is an https address at the standard port.
    static func isAtStandardPort(_ text: String) -> Bool {
        URL(string: text).map { $0.scheme == "https" && ($0.port ?? 443) == 443 } ?? false
    }
}
