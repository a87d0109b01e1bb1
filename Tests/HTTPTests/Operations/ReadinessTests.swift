import Domain
import Logging
import Storage
import Synchronization
import TestDatabases
import Testing

@testable import HTTP

@Suite struct ReadinessTests {
    /// A database that answers as it is told.
    private final class Database: Sendable {
        let answer = Mutex<Result<DatabaseState, StoreError>>(.failure(.unavailable))
        let looksCount = Mutex(0)

        func set(_ result: Result<DatabaseState, StoreError>) { answer.withLock { $0 = result } }

        func look() throws -> DatabaseState {
            looksCount.withLock { $0 += 1 }
            return try answer.withLock { $0 }.get()
        }
    }

    private let database = Database()
    private let good = DatabaseState(isReadOnly: false, migration: 12)

    private func make() -> Readiness { Readiness(logger: .none) { [database] in try database.look() } }

    @Test("it is what the last look found, and asks nobody") func states() async {
        let readiness = make()
        #expect(readiness.report().cause == .starting)
        for (answer, cause) in [
            (Result<DatabaseState, StoreError>.success(good), Readiness.Cause?.none),
            (.success(DatabaseState(isReadOnly: true, migration: 12)), .databaseReadOnly),
            (.failure(.unavailable), .databaseAway), (.failure(.overloaded), .databaseAway),
            (.failure(.wrongRowCount), .databaseBroken), (.failure(.formerPrimary), .formerPrimary),
            (.success(good), nil),
        ] {
            database.set(answer)
            await readiness.check()
            let looks = database.looksCount.withLock { $0 }
            for _ in 0..<100 { #expect(readiness.report().cause == cause) }
            #expect(database.looksCount.withLock { $0 } == looks)
        }
        #expect(readiness.report().database == good)
    }

    @Test("a look that does not end counts as no answer after some seconds") func silence() async {
        let readiness = make()
        database.set(.success(good))
        let now = ContinuousClock.now
        await readiness.check { now }
        #expect(readiness.report(at: now + .seconds(Limits.readinessSecondsMax)).cause == nil)
        #expect(readiness.report(at: now + .seconds(Limits.readinessSecondsMax + 1)).cause == .databaseSilent)
    }

    @Test("a server that ends is not ready, whatever the database says") func stop() async {
        let readiness = make()
        database.set(.success(good))
        await readiness.check()
        readiness.stop()
        #expect(readiness.report().cause == .stopping)
        await readiness.check()
        #expect(readiness.report().cause == .stopping)
    }
}
