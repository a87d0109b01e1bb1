import Logging
import Postgres
import TestDatabases
import Testing

/// Tests in which a server goes away. Each test has a server of its own.
struct RestartTests {
    private func pool(on server: TestServer) -> Pool {
        Pool(ConnectionSettings(conninfo: server.conninfo()), limits: PoolLimits(connectionsMax: 4), logger: .none)
    }

    private struct Sleepers: Query {
        static let sql: StaticString =
            "select count(*) from pg_stat_activity where state = 'active' and wait_event = 'PgSleep'"
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int { try row.next() }
    }

    @Test("a restart during a statement is a lost connection, and the pool recovers by itself") func restart()
        async throws
    {
        let server = try await TestServer(connectionsMax: 20)
        let pool = pool(on: server)
        let sleeper = Task<Void, any Error> {
            try await pool.withConnection { c in _ = try await c.run(Sleep(seconds: 60)) }
        }
        while try await pool.withConnection({ c in try await c.row(Sleepers()) }) == 0 {}
        await server.stop()
        try await server.start()
        let error = await failure { try await sleeper.value }
        #expect(error?.state.class == .connection)
        #expect(error?.safeToRetry == false)
        #expect(try await pool.withConnection { c in try await c.row(Number(value: 3)) } == 3)
    }

    @Test("while the server is down callers fail at once with class 08, and when it is back they succeed") func outage()
        async throws
    {
        let server = try await TestServer(connectionsMax: 20)
        let pool = pool(on: server)
        try await pool.withConnection { c in _ = try await c.run(Number(value: 1)) }
        await server.stop()
        let took = await elapsed {
            for _ in 0..<200 {
                let error = await failure {
                    try await pool.withConnection { c in _ = try await c.run(Number(value: 1)) }
                }
                #expect(error?.state.class == .connection)
                #expect(error?.safeToRetry == true)
            }
        }
        #expect(took < .seconds(20))
        try await server.start()
        let recovery = await elapsed {
            while (try? await pool.withConnection { c in try await c.row(Number(value: 1)) }) == nil {
                await Task.yield()
            }
        }
        #expect(recovery < .seconds(20))
    }
}
