import Domain
import Leaderboard
package import Storage
import Synchronization

/// PostgreSQL's own statistics, waiting work in the database, and the disk with its data, as of the last look. It looks
/// in the background with a time limit, so scrapes never make a query.
package final class VitalsWatch: Sendable {
    package struct Report: Sendable {
        /// Nil before the first look, and when the last one is too old to say how PostgreSQL is.
        let database: DatabaseVitals?
        /// Empty likewise.
        let sizes: [TableSize]
        /// Challenges to settle now; nil likewise, and if the count failed.
        let challengesDue: Int64?
        /// Since the last look that succeeded, and before the first one since this process looks.
        let age: Duration
        /// Nil for a database elsewhere.
        let disk: DiskUse?
    }

    private struct State {
        var database: DatabaseVitals?
        var lookedAt: ContinuousClock.Instant
        var sizes: [TableSize] = []
        var sizedAt: ContinuousClock.Instant?
        var challengesDue: Int64?
    }

    private let state: Mutex<State>
    private let look: @Sendable () async throws -> DatabaseVitals
    private let sizes: @Sendable () async throws -> [TableSize]
    private let challengesDue: @Sendable () async throws -> Int64?
    private let disk: @Sendable () -> DiskUse?

    /// - Parameters:
    ///   - look: Asks the database.
    ///   - sizes: Asks it for the sizes of tables, which may wait for a lock.
    ///   - challengesDue: Counts the challenges to settle now; nil if there is nothing to count.
    ///   - disk: Looks at the disk, which costs a system call.
    package init(
        now: ContinuousClock.Instant = .now, look: @escaping @Sendable () async throws -> DatabaseVitals,
        sizes: @escaping @Sendable () async throws -> [TableSize] = { [] },
        challengesDue: @escaping @Sendable () async throws -> Int64? = { nil },
        disk: @escaping @Sendable () -> DiskUse? = { nil }
    ) {
        state = Mutex(State(lookedAt: now))
        self.look = look
        self.sizes = sizes
        self.challengesDue = challengesDue
        self.disk = disk
    }

    /// Looks, and gives up after a time; what was found before is kept then.
    package func check(now: @Sendable () -> ContinuousClock.Instant = { .now }) async {
        guard let found = await Self.bounded(look) else { return }
        let due = await Self.bounded(challengesDue) ?? nil
        let lookedAt = now()
        state.withLock { ($0.database, $0.challengesDue, $0.lookedAt) = (found, due, lookedAt) }
        guard let sizes = await Self.bounded(sizes) else { return }
        let sizedAt = now()
        state.withLock { ($0.sizes, $0.sizedAt) = (sizes, sizedAt) }
    }

    private static func bounded<Value: Sendable>(_ ask: @escaping @Sendable () async throws -> Value) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { try? await ask() }
            group.addTask {
                try? await Task.sleep(for: .milliseconds(Limits.vitalsMillisecondsMax))
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// The database's size at the last check; nil if that is too old.
    package var databaseBytes: Int64? { report().database?.bytes }

    func report(at now: ContinuousClock.Instant = .now) -> Report {
        let state = state.withLock { $0 }
        func isFresh(_ time: ContinuousClock.Instant) -> Bool { now - time <= .seconds(Limits.vitalsAgeSecondsMax) }
        let isLookFresh = isFresh(state.lookedAt)
        return Report(
            database: isLookFresh ? state.database : nil, sizes: state.sizedAt.map(isFresh) == true ? state.sizes : [],
            challengesDue: isLookFresh ? state.challengesDue : nil, age: now - state.lookedAt, disk: disk())
    }
}
