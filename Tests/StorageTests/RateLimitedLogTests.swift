import Logging
import Postgres
import Synchronization
import TestDatabases
import Testing

@testable import Storage

@Suite struct RateLimitedLogTests {
    /// A log with a clock that stands until it is moved.
    private final class Clock: Sendable {
        let now = Mutex(ContinuousClock.now)

        func advance(_ duration: Duration) { now.withLock { $0 += duration } }
    }

    private let captured = CapturedLog(level: .info)
    private let clock = Clock()
    private let log: RateLimitedLog

    init() {
        let clock = clock
        log = RateLimitedLog(captured.logger) { clock.now.withLock { $0 } }
    }

    private var written: [String] { captured.lines }

    @Test("of a flood one line a second is written, and it says how many were left out") func flood() {
        for _ in 0..<1_000 { log.log(.warning, "overloaded") }
        #expect(written == ["overloaded"])
        clock.advance(.milliseconds(999))
        log.log(.warning, "overloaded")
        #expect(written.count == 1)
        clock.advance(.milliseconds(1))
        for _ in 0..<10 { log.log(.warning, "overloaded", metadata: ["sqlstate": "53300"]) }
        #expect(written == ["overloaded", "overloaded left-out=1000 sqlstate=53300"])
        clock.advance(.seconds(1))
        log.log(.warning, "overloaded")
        #expect(written.last == "overloaded left-out=9")
    }

    @Test("each kind has its own line, and beyond 64 kinds all others share one") func kinds() {
        for number in 0..<64 { log.log(.error, "refused", of: "\(number)") }
        #expect(written.count == 64)
        for number in 0..<5_000 { log.log(.error, "refused", of: "more \(number)") }
        #expect(written.count == 65)
    }

    @Test("a level that is not logged costs nothing and takes no turn") func level() {
        log.log(.debug, "overloaded")
        log.log(.warning, "overloaded")
        #expect(written == ["overloaded"])
    }
}

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
