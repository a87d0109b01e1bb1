package import Domain
import Postgres

/// What is swept, each kind in batches of its own.
package enum Swept: String, Sendable, CaseIterable {
    /// Pictures that nobody has.
    case pictures
    /// Codes of devices that have run out.
    case codes
    /// Tokens of erased players, to whom that is told no longer.
    case erasedTokens = "erased-tokens"
    /// Wallets with times of posts that count no more.
    case postTimes = "post-times"
    /// Saves of inactive players.
    case saves
    /// Challenges that were settled long ago.
    case challenges
    /// Rows of the ledgers that went among the past ones.
    case pastScores = "past-scores"
    case pastDonations = "past-donations"
}

/// What one batch has done.
package struct SweptBatch: Sendable, Equatable {
    package let rows: Int
    /// Whether more may be left.
    package let hasMore: Bool
}

// Each batch is a transaction of its own, in which nobody else sweeps; a batch that comes second is nil.
extension Store {
    /// Deletes some of the pictures that nobody has.
    /// - Parameter after: The picture before the first one to look at; it is moved on, and nil at the end.
    package func sweepPictures(after: inout AvatarHash?, before: Instant) async throws(StoreError) -> SweptBatch? {
        let asked = PicturesIdle(after: after, before: before)
        let found = try await general { connection throws(PostgresError) in try await connection.rows(asked) }
        let idle = found.filter(\.isIdle).map(\.hash)
        let next = found.count == Int(Limits.sweptRows) ? found.last?.hash : nil
        var rows: Int? = 0
        if !idle.isEmpty {
            rows = try await sweeping { connection throws(PostgresError) in
                try await connection.run(PicturesHold())
                // Its snapshot is taken now, when nobody is about to have one of them.
                return try await connection.rows(PicturesSweep(hashes: idle, before: before)).count
            }
        }
        guard let rows else { return nil }
        after = next
        return SweptBatch(rows: rows, hasMore: next != nil)
    }

    package func sweepCodes(before: Instant) async throws(StoreError) -> SweptBatch? {
        try await sweep(CodesSweep(before: before))
    }

    package func sweepErasedTokens(now: Instant) async throws(StoreError) -> SweptBatch? {
        try await sweep(ErasedTokensSweep(before: now))
    }

    /// Deletes challenges that were settled before a time.
    package func sweepChallenges(before: Instant) async throws(StoreError) -> SweptBatch? {
        try await sweeping { connection throws(PostgresError) in
            let rows = try await connection.rows(ChallengesSweep(before: before)).count
            return SweptBatch(rows: rows, hasMore: rows == Int(Limits.challengesSwept))
        }
    }

    private func sweep(_ ended: some Query) async throws(StoreError) -> SweptBatch? {
        try await sweeping { connection throws(PostgresError) in .full(try await connection.rows(ended).count) }
    }

    /// Removes posts that no rule looks at any more from the wallets of some players.
    /// - Parameter after: The player before the first one to look at; it is moved on.
    package func trimTimedPosts(after: inout Player.ID, before: Instant) async throws(StoreError) -> SweptBatch? {
        let trim = TimedPostsTrim(after: after, before: before)
        let done = try await sweeping { connection throws(PostgresError) in try await connection.row(trim) }
        guard let done else { return nil }
        if let last = done.last { after = last }
        return SweptBatch(rows: Int(done.trimmed), hasMore: done.last != nil)
    }

    /// Deletes the saves of players who have been inactive since a time.
    /// - Parameter after: The cursor: players after this one are checked. It moves past players whose saves are gone.
    package func sweepSaves(after: inout Player.ID, before: Instant) async throws(StoreError) -> SweptBatch? {
        let asked = SavesIdle(after: after, before: before)
        let found = try await general { connection throws(PostgresError) in try await connection.rows(asked) }
        let idle = found.filter(\.isDue).map(\.player)
        var rows: Int? = 0
        if !idle.isEmpty {
            let sweep = SavesSweep(players: idle, before: before)
            rows = try await sweeping { connection throws(PostgresError) in try await connection.rows(sweep).count }
        }
        guard let rows else { return nil }
        // The batch is full: the same players may have more saves.
        if rows == Int(Limits.sweptRows) { return SweptBatch(rows: rows, hasMore: true) }
        if let last = found.last?.player { after = last }
        return SweptBatch(rows: rows, hasMore: found.count == Int(Limits.sweptRows))
    }

    /// Players who have rows in the ledgers from before a time that are not among the past ones yet.
    /// - Parameter after: The player before the first one to look at; it is moved on, and nil at the end.
    package func playersWithPast(after: inout Player.ID?, before: Instant) async throws(StoreError) -> [Player.ID] {
        let asked = PastPlayers(after: after ?? Player.ID(rawValue: 0), before: before)
        let found = try await general { connection throws(PostgresError) in try await connection.rows(asked) }
        after = found.count == Int(Limits.sweptRows) ? found.last?.player : nil
        return found.filter(\.isDue).map(\.player)
    }

    /// Moves rows of some players to the past ledgers. Their posts wait meanwhile, for some milliseconds.
    /// - Parameter players: At most `Limits.pastPlayersAtOnce`.
    package func movePast(of players: ArraySlice<Player.ID>, before: Instant) async throws(StoreError) -> PastBatch? {
        try await sweeping(isLedger: true) { connection throws(PostgresError) in
            // Who was merged meanwhile, and is locked by another one's wallet, has its turn another day.
            guard let survivors = try await connection.lockSurvivors(of: Set(players)) else { return PastBatch() }
            let moved = try await connection.row(PastMove(players: survivors.keys.sorted(), before: before))
            let most = Int64(Limits.pastRows)
            return PastBatch(
                scores: Int(moved.scores), donations: Int(moved.donations),
                hasMore: moved.scores == most || moved.donations == most)
        }
    }

    /// - Returns: Nil when somebody else sweeps, or holds a lock for longer than a sweep waits.
    private func sweeping<Value: Sendable>(
        isLedger: Bool = false, _ body: (Connection) async throws(PostgresError) -> Value
    ) async throws(StoreError) -> Value? {
        let work = { (connection: Connection) async throws(PostgresError) -> Value? in
            do throws(PostgresError) {
                return try await connection.transaction { connection throws(PostgresError) in
                    guard try await connection.row(SweepLock()) else { return nil }
                    _ = try await connection.row(SweepPatience(milliseconds: Limits.sweepLockMilliseconds))
                    return try await body(connection)
                }
            } catch {
                guard error.state == .lockNotAvailable else { throw error }
                return nil
            }
        }
        return isLedger ? try await ledger(work) : try await changing(work)
    }
}

/// How many rows of either ledger were moved at once.
package struct PastBatch: Sendable, Equatable {
    package var scores = 0
    package var donations = 0
    /// Whether the same players have more.
    package var hasMore = false
}

extension SweptBatch {
    /// A batch of those that are asked for without looking at others.
    fileprivate static func full(_ rows: Int) -> SweptBatch {
        SweptBatch(rows: rows, hasMore: rows == Int(Limits.sweptRows))
    }
}
