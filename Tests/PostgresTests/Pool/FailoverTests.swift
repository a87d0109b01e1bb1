import Postgres
import TestDatabases
import Testing

/// Sessions whose server takes no writes, as before and after a fail-over.
@Suite(.server) struct FailoverTests {
    private struct MakeTable: Query {
        static let sql: StaticString = "create table if not exists made_after_failover ()"
        typealias Row = Void
    }

    /// Runs a test with a superuser whose sessions are read-only, as they are when a provider has closed a database.
    private func withReadOnlyLogin(_ name: String, _ body: (ConnectionSettings) async throws -> Void) async throws {
        let owner = try await connect()
        try await owner.script(
            "create role \(name) login superuser; alter role \(name) set default_transaction_read_only = on")
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(ConnectionSettings(conninfo: SharedServer.current.conninfo(login: name))))
        } catch { result = .failure(error) }
        try await owner.script("drop owned by \(name); drop role \(name)")
        try result.get()
    }

    @Test("a session that refused a write is not lent again, so writes go on once the server takes them")
    func refusedWrite() async throws {
        try await withReadOnlyLogin("frozen") { settings in
            let pool = Pool(settings, limits: PoolLimits(connectionsMax: 1), logger: .none)
            let error = await failure { try await pool.withConnection { c in _ = try await c.run(MakeTable()) } }
            #expect(error?.state == .readOnlyTransaction)
            #expect(error?.safeToRetry == true)
            try await connect().script("alter role frozen reset default_transaction_read_only")
            try await pool.withConnection { c in _ = try await c.run(MakeTable()) }
        }
    }

    @Test("of several hosts only one that takes writes is connected, unless the connection string says otherwise")
    func severalHosts() async throws {
        try await withReadOnlyLogin("closed") { settings in
            let directory = SharedServer.current.socketDirectory
            let two = "host=\(directory),\(directory) user=closed dbname=postgres"
            let refused = await failure { _ = try await connect(ConnectionSettings(conninfo: two)) }
            #expect(refused?.state == .cannotConnect)
            for conninfo in [two + " target_session_attrs=any", settings.conninfo] {
                let connection = try await connect(ConnectionSettings(conninfo: conninfo))
                #expect(try await connection.row(Number(value: 1)) == 1)
            }
        }
    }

    @Test("a connection that has reached its age is replaced") func age() async throws {
        for (age, isReplaced) in [(Duration.zero, true), (.seconds(3_600), false)] {
            let pool = Pool(.test, limits: PoolLimits(connectionsMax: 1, ageMax: age), logger: .none)
            let first = try await pool.withConnection { c in try await c.row(BackendPID()) }
            let second = try await pool.withConnection { c in try await c.row(BackendPID()) }
            #expect((first != second) == isReplaced)
        }
    }
}
