package import Domain
import Synchronization

/// Sweeps what nobody needs any more, in small batches with pauses, so that requests never wait for it.
package struct Sweeper: Sendable {
    /// Somebody else sweeps, or holds a lock: it is tried so often before the rest waits for the next pass.
    private static let triesMax = 20

    private let store: Store
    private let sweepDays: Int?
    private let savesDays: Int?
    private let pastDays: Int?
    private let pause: Duration
    private let counts: SweepCounts

    /// - Parameters:
    ///   - sweepDays: Days after which what nobody needs is deleted; nil for never.
    ///   - savesDays: Days after which the saves of inactive players are deleted; nil for never.
    ///   - pastDays: Days after which rows of the ledgers go among the past ones; nil for never.
    ///   - pause: The time between two batches.
    package init(store: Store, sweepDays: Int?, savesDays: Int?, pastDays: Int?, pause: Duration, counts: SweepCounts) {
        self.store = store
        self.sweepDays = sweepDays
        self.savesDays = savesDays
        self.pastDays = pastDays
        self.pause = pause
        self.counts = counts
    }

    /// Looks at everything once.
    /// - Returns: What it has swept, without what was nothing.
    package func pass(now: Instant) async throws -> [Swept: Int] {
        let before = counts.swept
        if let sweepDays {
            let time = now.advanced(bySeconds: -Int64(sweepDays) * 86_400)
            var picture: AvatarHash?
            try await sweep(.pictures) { try await store.sweepPictures(after: &picture, before: time) }
            try await sweep(.codes) { try await store.sweepCodes(before: time) }
            try await sweep(.erasedTokens) { try await store.sweepErasedTokens(now: now) }
            var player = Player.ID(rawValue: 0)
            try await sweep(.postTimes) { try await store.trimTimedPosts(after: &player, before: time) }
        }
        let settled = now.advanced(bySeconds: -Limits.challengeKeptDays * 86_400)
        try await sweep(.challenges) { try await store.sweepChallenges(before: settled) }
        if let savesDays {
            let time = now.advanced(bySeconds: -Int64(savesDays) * 86_400)
            var player = Player.ID(rawValue: 0)
            try await sweep(.saves) { try await store.sweepSaves(after: &player, before: time) }
        }
        if let pastDays {
            // Days as the books close them, so that a day is among the past ones as a whole.
            let day = now.advanced(bySeconds: -Int64(pastDays) * 86_400).dayInUTC
            try await movePast(before: day.startInUTC)
        }
        counts.passed()
        return counts.swept.merging(before) { $0 - $1 }.filter { $0.value > 0 }
    }

    private func sweep(_ what: Swept, _ batch: () async throws -> SweptBatch?) async throws {
        while let done = try await insisting(batch) {
            counts.add(done.rows, of: what)
            guard done.hasMore else { return }
            try await Task.sleep(for: pause)
        }
    }

    private func movePast(before: Instant) async throws {
        var last: Player.ID?
        repeat {
            var players = try await store.playersWithPast(after: &last, before: before)[...]
            while !players.isEmpty {
                let some = players.prefix(Limits.pastPlayersAtOnce)
                guard let done = try await insisting({ try await store.movePast(of: some, before: before) }) else {
                    return
                }
                counts.add(done.scores, of: .pastScores)
                counts.add(done.donations, of: .pastDonations)
                if !done.hasMore { players = players.dropFirst(some.count) }
                try await Task.sleep(for: pause)
            }
            try await Task.sleep(for: pause)
        } while last != nil
    }

    private func insisting<Done>(_ batch: () async throws -> Done?) async throws -> Done? {
        for _ in 0..<Self.triesMax {
            if let done = try await batch() { return done }
            // Who waited behind a sweep that waited for a lock has its turn.
            try await Task.sleep(for: pause * 10)
        }
        return nil
    }
}

/// What this process has swept since it began.
package final class SweepCounts: Sendable {
    private let counts = Mutex<(swept: [Swept: Int], passes: Int)>(([:], 0))

    package init() {}

    package var swept: [Swept: Int] { counts.withLock { $0.swept } }
    /// How often everything was looked at.
    package var passes: Int { counts.withLock { $0.passes } }

    func add(_ rows: Int, of what: Swept) { counts.withLock { $0.swept[what, default: 0] += rows } }

    func passed() { counts.withLock { $0.passes += 1 } }
}
