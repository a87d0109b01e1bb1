import Logging
import Postgres
import TestDatabases
import Testing

@testable import Storage

@Suite struct StoreLogTests {
    @Test("the log tells a full queue of this server from a database that takes no more connections") func ownQueue()
        async throws
    {
        try await withTestDatabase { database in
            let log = CapturedLog(level: .warning)
            // Whoever has to wait for a connection is turned away at once.
            let pool = Pool(database.server, limits: PoolLimits(connectionsMax: 1, waitMax: .zero), logger: .none)
            let store = Store(general: pool, ledger: pool, logger: log.logger)
            let ending = try await store.general { _ throws(PostgresError) in
                await #expect(throws: StoreError.self) { _ = try await store.general { _ throws(PostgresError) in 1 } }
            }
            #expect(ending == .overloaded)
            #expect(log.messages == ["too many requests wait for a connection of this server to the database"])
        }
    }
}
