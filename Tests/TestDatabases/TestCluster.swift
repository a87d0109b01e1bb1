import EmbeddedPostgres
import Domain
import Foundation
package import Logging
import Postgres
import Storage
import Synchronization

/// The private PostgreSQL of this test process. It starts with the first test that asks for a database; ``Janitor``
/// ends it.
final class TestCluster: Sendable {
    /// A test that fails here tells why; the others fail with the same sentence.
    private static let shared = Task { try await TestCluster() }
    private static let template = "migrated"
    /// More at once would only share the same cores.
    private static let gate = Gate(places: 16)

    private let cluster: EmbeddedCluster
    /// Makes and drops databases.
    private let keeper: Pool
    private let namesGiven = Mutex(0)

    private init() async throws {
        var pattern = Array("/tmp/causeboard-tests-XXXXXX".utf8CString)
        guard let made = mkdtemp(&pattern) else { throw TestDatabaseError("no directory in /tmp") }
        let directory = String(cString: made)
        guard chmod(directory, 0o755) == 0 else { throw TestDatabaseError("chmod of \(directory)") }  // the user postgres enters it
        try Janitor.watch(directory)
        cluster = try await EmbeddedCluster.open(
            ClusterSettings(
                dataDirectory: "\(directory)/data",
                logger: .none,
                durable: false,
                extra: ["shared_buffers": "64MB", "max_connections": "400", "autovacuum": "off"]
            ),
            as: .server
        )
        keeper = Pool(
            ConnectionSettings(
                conninfo: cluster.conninfo(login: EmbeddedCluster.owner, database: "postgres"),
                silenceMax: nil
            ),
            limits: PoolLimits(connectionsMax: 4, waitMax: .seconds(120)),
            logger: .none
        )
        try await keep("create database \(Self.template)")
        _ = try await Migrator(owner(of: Self.template), logger: .none).migrate(now: .noon)
    }

    /// Lends a new database to `body` and drops it afterwards.
    /// - Parameter isMigrated: False leaves it empty.
    static func withDatabase(
        isMigrated: Bool,
        _ body: (_ owner: ConnectionSettings, _ server: ConnectionSettings) async throws -> Void
    ) async throws {
        let cluster = try await shared.value
        await gate.enter()
        defer { gate.leave() }
        let name = "t\(cluster.namesGiven.withLock { $0 += 1; return $0 })"
        try await cluster.keep("create database \(name) template \(isMigrated ? template : "template0")")
        let server = ConnectionSettings(
            conninfo: cluster.cluster.conninfo(login: SessionPresets.serverRole, database: name),
            session: SessionPresets.general
        )
        let result: Result<Void, any Error>
        do { result = .success(try await body(cluster.owner(of: name), server)) } catch { result = .failure(error) }
        try await cluster.keep("drop database \(name) with (force)")
        try result.get()
    }

    private func owner(of database: String) -> ConnectionSettings {
        ConnectionSettings(
            conninfo: cluster.conninfo(login: EmbeddedCluster.owner, database: database),
            session: SessionPresets.owning,
            silenceMax: nil
        )
    }

    private func keep(_ statement: String) async throws {
        try await keeper.withConnection { connection throws(PostgresError) in try await connection.script(statement) }
    }
}

extension Logger {
    /// Says nothing.
    package static var none: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
