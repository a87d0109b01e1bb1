import Postgres
import Storage
import Synchronization

/// Lends the databases of this test process. They are on one server, which starts with the first test that asks for
/// one.
final class DatabaseLender: Sendable {
    /// The one lender. If it cannot start, every test fails with the same sentence.
    private static let shared = Task { try await DatabaseLender() }
    private static let template = "migrated"
    /// More databases at once would only share the same cores.
    private static let gate = Gate(places: 16)

    private let server: TestServer
    /// The connections that create and drop databases.
    private let keeper: Pool
    private let namesGiven = Mutex(0)

    private init() async throws {
        server = try await TestServer(connectionsMax: 400)
        keeper = Pool(
            ConnectionSettings(conninfo: server.conninfo(), silenceMax: nil),
            limits: PoolLimits(connectionsMax: 4, waitMax: .seconds(120)), logger: .none)
        try await keep("create database \(Self.template)")
        _ = try await Migrator(owner(of: Self.template), logger: .none).migrate(now: .noon)
    }

    /// Lends a new database to `body` and drops it afterwards.
    /// - Parameter isMigrated: Whether the migrations are applied; otherwise the database is empty.
    static func withDatabase(
        isMigrated: Bool, _ body: (_ owner: ConnectionSettings, _ server: ConnectionSettings) async throws -> Void
    ) async throws {
        let lender = try await shared.value
        await gate.enter()
        defer { gate.leave() }
        let name = "t\(lender.namesGiven.withLock { $0 += 1; return $0 })"
        try await lender.keep("create database \(name) template \(isMigrated ? template : "template0")")
        let server = ConnectionSettings(
            conninfo: lender.server.conninfo(login: SessionPresets.serverRole, database: name),
            session: SessionPresets.general)
        let result: Result<Void, any Error>
        do { result = .success(try await body(lender.owner(of: name), server)) } catch { result = .failure(error) }
        try await lender.keep("drop database \(name) with (force)")
        try result.get()
    }

    private func owner(of database: String) -> ConnectionSettings {
        ConnectionSettings(
            conninfo: server.conninfo(database: database), session: SessionPresets.owning, silenceMax: nil)
    }

    private func keep(_ statement: String) async throws {
        try await keeper.withConnection { connection throws(PostgresError) in try await connection.script(statement) }
    }
}
