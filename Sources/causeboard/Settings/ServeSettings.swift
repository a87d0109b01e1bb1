import Domain
import FoundationEssentials
import HTTP
import HTTPServer
import Leaderboard
import Logging
import Telemetry

/// The settings that only `serve` has. Flags win over the environment, which wins over the settings file.
struct ServeSettings: Sendable {
    let host: String
    /// 0 lets the system choose.
    let port: Int
    let publicURL: String?
    /// Connections to the database, 2...1,000.
    let connections: Int
    /// Memory for players' names and the hashes of their pictures, in MiB, 1...1,048,576.
    let summaryMegabytes: Int
    let mayMigrate: Bool
    /// Whether to serve from a database that may lose what was acknowledged.
    let acceptsUnsafeDurability: Bool
    /// The connection string of the replication stream; nil for the database's own.
    let streamURL: String?
    /// A standby that answers long reads; nil for none.
    let replicaURL: String?
    /// Open client connections of one address, 1...1,000,000.
    let connectionsPerAddress: Int
    let clients: ClientSettings
    /// Nil without an admin listener.
    let admin: AdminAddress?
    /// Whether clients' listeners serve the admin API too.
    let isAdminPublic: Bool
    /// Whether `/play` is served in every database, and not only in those of the demo.
    let isPlayOn: Bool
    /// A file, `-` for standard output, or nil for no access log.
    let accessLog: String?
    /// Nil without an archive.
    let archive: ArchiveServing?
    let housekeeping: HousekeepingDays
    let room: RoomSettings

    let transport: TransportSettings
    let traces: TraceSettings

    /// - Parameter flags: Nil outside of `serve`.
    init(_ settings: Settings, _ flags: ServeOptions? = nil) throws {
        host = try settings.value(\.host, flags?.host)
        port = try settings.value(\.port, flags?.port)
        publicURL = try PublicURL.checked(settings.value(\.publicURL, flags?.publicURL))
        connections = try settings.value(\.connections, flags?.connections)
        summaryMegabytes = try settings.value(\.namesMemory, flags?.namesMemory)
        mayMigrate = try settings.isOn(\.migrate, flags?.migrate)
        acceptsUnsafeDurability = try settings.isOn(\.unsafeDurability)
        streamURL = try settings.value(\.streamURL, flags?.streamURL)
        replicaURL = try settings.value(\.replicaURL, flags?.replicaURL)
        connectionsPerAddress = try settings.value(\.connectionsPerAddress, flags?.connectionsPerAddress)
        clients = try ClientSettings(settings, flags)
        admin = try AdminAddress.parsed(settings.value(\.adminListen, flags?.adminListen))
        isAdminPublic = try settings.isOn(\.adminPublic, flags?.adminPublic)
        isPlayOn = try settings.isOn(\.play, flags?.play)
        accessLog = try settings.value(\.accessLog, flags?.accessLog)
        archive = try ArchiveServing(settings, flags)
        housekeeping = try HousekeepingDays(
            purge: settings.value(\.purgeAfter, flags?.purgeAfter),
            sweep: settings.value(\.sweepAfter, flags?.sweepAfter),
            saves: settings.value(\.savesAfter, flags?.savesAfter), past: settings.value(\.pastAfter, flags?.pastAfter))
        room = try RoomSettings(
            reserve: DiskReserveRule(bytes: settings.value(\.diskReserve, flags?.diskReserve).map { Int64($0) << 20 }),
            databaseBytesMax: settings.value(\.databaseMax, flags?.databaseMax).map { Int64($0) << 20 })
        // Other commands do not know the flags of `serve`, without which the rest may look incomplete.
        if let flags {
            transport = try TransportSettings(settings, flags, port: port, publicURL: publicURL)
            traces = try TraceSettings(settings, flags)
        } else {
            (transport, traces) = (.none, .off)
        }
    }

    /// Whether other machines can reach the server, directly or through a proxy.
    var isPublic: Bool { !["127.0.0.1", "::1", "localhost"].contains(host) || !clients.proxies.isEmpty }

    /// Where a person on this machine opens the home page: the public URL, or the address that is listened on.
    func homePage(scheme: String, port: Int) -> String {
        publicURL ?? "\(scheme)://\(AdminAddress.urlHost(HealthQuestion.reachableHost(host))):\(port)/"
    }

    /// - Throws: ``CommandError`` when the file cannot be written.
    func openAccessLog(logger: Logger) throws -> AccessLog? {
        try accessLog.map { path in
            do { return try AccessLog(path, reserve: room.reserve, logger: logger) } catch {
                throw CommandError("\(error). Choose another file with --access-log.")
            }
        }
    }
}

/// Days after which something is deleted, or put aside; nil for never.
struct HousekeepingDays: Sendable {
    let purge: Int?
    let sweep: Int?
    let saves: Int?
    let past: Int?
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

    init(_ settings: Settings, _ flags: ServeOptions) throws(CommandError) {
        collector = try settings.value(\.traceOtlp, flags.traceOtlp).map { text throws(CommandError) in
            guard let address = HTTPAddress(text, standardPath: "/v1/traces") else {
                throw CommandError(
                    """
                    --trace-otlp (CAUSEBOARD_TRACE_OTLP) is the URL of a collector of traces, such as \
                    http://127.0.0.1:4318/v1/traces, without user and query.
                    """)
            }
            return address
        }
        lines = try settings.value(\.traceLines, flags.traceLines)
        let share = try settings.value(\.traceSample, flags.traceSample)
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
