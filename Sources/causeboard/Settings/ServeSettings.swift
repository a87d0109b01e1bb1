import Configuration
import Domain
import FoundationEssentials
import HTTP
import Leaderboard
import Logging

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

    init(
        _ settings: Settings, host: String? = nil, port: Int? = nil, publicURL: String? = nil, connections: Int? = nil,
        summaryMegabytes: Int? = nil, mayMigrate: Bool = false, ways: DatabaseWays? = nil,
        connectionsPerAddress: Int? = nil, clients: ClientOptions? = nil, adminListen: String? = nil,
        isAdminPublic: Bool = false, isPlayOn: Bool = false, accessLog: String? = nil,
        housekeeping: HousekeepingOptions? = nil, room: RoomOptions? = nil, archive: ArchiveOptions? = nil
    ) throws {
        self.host = settings.text(host, "causeboard.host") ?? "127.0.0.1"
        self.port = try settings.number(
            port, "causeboard.port", named: "--port (CAUSEBOARD_PORT)", in: 0...65_535, standard: 8_080)
        self.publicURL = try PublicURL.read(settings, flag: publicURL)
        self.connections = try settings.number(
            connections, "causeboard.connections", named: "--connections (CAUSEBOARD_CONNECTIONS)", in: 2...1_000,
            standard: 16)
        self.summaryMegabytes = try settings.number(
            summaryMegabytes, "causeboard.names.memory", named: "--names-memory (CAUSEBOARD_NAMES_MEMORY)",
            in: 1...1_048_576, standard: Limits.summaryMegabytes)
        self.mayMigrate = try settings.isOn(mayMigrate, "causeboard.migrate", named: "CAUSEBOARD_MIGRATE")
        acceptsUnsafeDurability = try settings.acceptsUnsafeDurability
        self.streamURL = settings.text(ways?.streamURL, "causeboard.stream.url")
        self.replicaURL = settings.text(ways?.replicaURL, "causeboard.replica.url")
        self.connectionsPerAddress = try settings.number(
            connectionsPerAddress, "causeboard.connections.per.address",
            named: "--connections-per-address (CAUSEBOARD_CONNECTIONS_PER_ADDRESS)", in: 1...1_000_000,
            standard: Limits.connectionsOfAddress)
        self.clients = try ClientSettings(settings, clients)
        self.admin = try AdminAddress.parsed(settings.text(adminListen, "causeboard.admin.listen"))
        self.isAdminPublic = try settings.isOn(
            isAdminPublic, "causeboard.admin.public", named: "CAUSEBOARD_ADMIN_PUBLIC")
        self.isPlayOn = try settings.isOn(isPlayOn, "causeboard.play", named: "CAUSEBOARD_PLAY")
        self.accessLog = settings.text(accessLog, "causeboard.access.log")
        self.archive = try ArchiveServing(
            settings, directory: archive?.archive, baseDays: archive?.archiveBaseDays, keep: archive?.archiveKeep)
        self.housekeeping = try HousekeepingDays(settings, housekeeping)
        self.room = try RoomSettings(settings, room)
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

/// The base of absolute links.
enum PublicURL {
    static func read(_ settings: Settings, flag: String?) throws -> String? {
        guard let text = settings.text(flag, "causeboard.public.url") else { return nil }
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
