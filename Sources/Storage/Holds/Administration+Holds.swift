package import Domain
package import FoundationEssentials
import Postgres

/// What became of a verdict.
package enum VerdictOutcome: Sendable, Equatable {
    /// The score is in this state now.
    case done(LedgerState)
    /// The game has said the same before.
    case repeated(LedgerState)
    /// There is no such item.
    case noItem
    /// The game has said something else, its time is over, or an operator has decided.
    case decided
}

extension Administration {
    /// The scores that wait for the verdict of a game, the soonest due first.
    /// - Parameters:
    ///   - after: The score before the first; nil for the first page.
    ///   - limitRows: 1...101.
    package func heldScores(of game: Slug, after: HeldScore.Key?, limitRows: Int32, now: Instant)
        async throws(StoreError) -> [HeldScore]
    {
        try await store.general { connection throws(PostgresError) in
            try await connection.rows(HeldPage(game: game, after: after ?? .beginning, limitRows: limitRows, now: now))
        }
    }

    /// Takes the verdict of a game about a score that waits for it, in one transaction with all that is derived from
    /// it. A score that a rule holds as well waits for an operator when its game clears it.
    /// - Parameters:
    ///   - key: The key with which the game says so.
    ///   - marker: The commit marker, as in ``commit(scores:donations:isRepeated:marker:known:now:)``.
    package func judge(
        _ item: UUID, of game: Slug, _ verdict: Verdict, by key: TokenHash, marker: String?, now: Instant
    ) async throws(StoreError) -> VerdictOutcome {
        try await changingHeld { connection throws(PostgresError) in
            let held = HeldFind(game: game, item: item)
            guard let owner = try await connection.firstRow(held)?.row.owner,
                let player = try await connection.lockSurvivors(of: [owner])?[owner],
                let found = try await connection.firstRow(held)
            else { return .noItem }
            if found.verdict == verdict { return .repeated(found.state) }
            guard found.verdict == nil, let until = found.judgeUntil, now < until, found.state == .held else {
                return .decided
            }
            try await connection.run(HeldJudge(row: found.row, verdict: verdict, key: key, now: now))
            let isHeldByRule = found.why != [HoldReason.judge.rawValue]
            if verdict == .clear, isHeldByRule { return .done(.held) }
            let state = verdict == .clear ? LedgerState.counted : .voided
            try await Self.restate([found.row], of: player, to: state, on: connection, now: now)
            if let marker { try await connection.run(all: [MarkerEmit(marker: marker)]) }
            return .done(state)
        }
    }

    /// Lets scores count of which their games have said nothing in time, unless a rule holds them as well.
    /// - Parameters:
    ///   - after: The score before the first; nil begins with the longest overdue.
    ///   - limitRows: Scores at most, the longest overdue first.
    /// - Returns: How many wait no more, and the last score of this page; nil when none is behind it. One that cannot
    ///   be let now keeps none waiting but its player's of the same page.
    package func letOverdue(after: HeldScore.Key? = nil, limitRows: Int32, now: Instant) async throws(StoreError) -> (
        freed: Int, last: HeldScore.Key?
    ) {
        let overdue = try await store.general { connection throws(PostgresError) in
            try await connection.rows(HeldOverdue(now: now, after: after ?? .beginning, limitRows: limitRows))
        }
        var freed = 0
        let owned = Dictionary(grouping: overdue.map(\.row), by: \.owner)
        for (owner, rows) in owned.sorted(by: { $0.key < $1.key }) {
            let done: Void? = try? await changingHeld { connection throws(PostgresError) in
                guard let player = try await connection.lockSurvivors(of: [owner])?[owner] else { return }
                let free = try await connection.rows(HeldLet(rows: rows, now: now))
                if !free.isEmpty { try await Self.restate(free, of: player, to: .counted, on: connection, now: now) }
            }
            if done != nil { freed += rows.count }
        }
        return (freed, overdue.count < Int(limitRows) ? nil : overdue.last?.key)
    }

    /// Measures what scores are like on boards that hold by that.
    /// - Parameters:
    ///   - board: Nil measures all boards.
    ///   - before: Boards that were measured since then are left out.
    /// - Returns: How many were measured; 0 while another process does it.
    package func measureBoards(_ board: Slug? = nil, in game: Slug? = nil, before: Instant, now: Instant)
        async throws(StoreError) -> Int64
    {
        try await store.general { connection throws(PostgresError) in
            try await connection.row(BoardsMeasure(game: game, board: board, before: before, now: now))
        }
    }

    /// Lets scores that were held count, or voids them. It costs the same however many others the player has: scores
    /// that count are added to the player's rows, and points that were held could not be donated, so donations change
    /// only when some are unfunded.
    private static func restate(
        _ rows: [LedgerRowID], of player: Player.ID, to state: LedgerState, on connection: Connection, now: Instant
    ) async throws(PostgresError) {
        let restate = ScoresRestate(player: player, scores: rows, from: .held, to: state, action: nil, now: now)
        guard state == .counted else {
            _ = try await connection.row(restate)
            return
        }
        let before = try await connection.row(WalletSumsOf(player: player))
        _ = try await connection.row(restate)
        try await connection.run(all: [ResultsCount(player: player, rows: rows), BestPostsForget(player: player)])
        if before.unfunded > 0 {
            try await RollupRecomputation(players: [player], action: nil, now: now).recomputeDonations(on: connection)
        }
    }

    private func changingHeld<Value: Sendable>(_ body: (Connection) async throws(PostgresError) -> Value)
        async throws(StoreError) -> Value
    {
        do throws(PostgresError) {
            return try await store.ledgerPool.withConnection(repeatedOnce: Repetition(onlyReads: false)) {
                connection throws(PostgresError) in
                try await connection.transaction { connection throws(PostgresError) in try await body(connection) }
            }
        } catch { throw store.failure(error) }
    }
}
