import Concurrency
import Postgres
import Synchronization
import TestDatabases
import Testing

@testable import Storage

@Suite struct StoreTests {
    @Test("a job that waits for a connection keeps no other one from running", .timeLimit(.minutes(5)))
    func connections() async throws {
        try await withTestDatabase { database in
            let pool = Pool(
                database.server, limits: PoolLimits(connectionsMax: 1, waitMax: .seconds(240)), logger: .none)
            let store = Store(general: pool, ledger: pool, logger: .none)
            let places = CorePlaces(runningMax: 1, runningOfClientMax: 1)
            let isReleased = Mutex(false)
            let first = Task {
                try await store.general { _ throws(PostgresError) in
                    while !isReleased.withLock({ $0 }) { await Task.yield() }
                }
            }
            while pool.use.lent < 1 { await Task.yield() }
            let waiting = Task { try await places.run { try await store.longRead { _ throws(PostgresError) in 1 } } }
            while pool.use.waiting < 1 { await Task.yield() }
            try await places.run { #expect(places.counts == (1, 0)) }
            isReleased.withLock { $0 = true }
            try await first.value
            #expect(try await waiting.value == 1)
            #expect(places.counts == (0, 0))
        }
    }
}
