package import Domain
import FoundationEssentials
package import Storage

// Short forms of what tests read most.
extension Store {
    /// The first rows of a board.
    package func top(of board: Board, days: ClosedRange<Day>?, limitRows: Int) async throws(StoreError) -> [Standing] {
        try await page(of: board.id, days: days, pageRequest: .top, limitRows: limitRows).rows
    }

    /// A player's displayed rank for all time of the season; nil without a row.
    package func findRank(of player: Player.ID, on board: Board) async throws(StoreError) -> Int64? {
        try await rankPositions(of: [player.rawValue], on: board.id, days: nil).first?.rankPosition.rank(board.ties)
            .number
    }

    /// Records scores in one batch, and those that it puts off in further ones, as the write batcher does.
    /// - Returns: A receipt for each score, in order, none of them `deferred`.
    package func record(_ scores: [NewScore], now: Instant) async throws -> [ScoreReceipt] {
        try await judged(scores, isDeferred: { $0.outcome == .deferred }) { scores in
            try await recordOnce(scores, now: now)
        }
    }

    /// Records scores in one batch, which may put off some of them.
    /// - Parameter known: What is remembered of callers; nil asks the database for all.
    package func recordOnce(_ scores: [NewScore], known: KnownCallers? = nil, now: Instant) async throws
        -> [ScoreReceipt]
    { try await commit(scores: scores, donations: [], isRepeated: false, marker: nil, known: known, now: now).scores }

    /// Records donations, like ``record(_:now:)``.
    package func donate(_ donations: [NewDonation], now: Instant) async throws -> [DonationReceipt] {
        try await judged(donations, isDeferred: { $0.outcome == .deferred }) { donations in
            try await commit(scores: [], donations: donations, isRepeated: false, marker: nil, now: now).donations
        }
    }

    private func judged<Row, Receipt>(
        _ rows: [Row], isDeferred: (Receipt) -> Bool, _ batch: ([Row]) async throws -> [Receipt]
    ) async throws -> [Receipt] {
        var receipts = try await batch(rows)
        while true {
            let open = receipts.indices.filter { isDeferred(receipts[$0]) }
            if open.isEmpty { return receipts }
            for (index, receipt) in zip(open, try await batch(open.map { rows[$0] })) { receipts[index] = receipt }
        }
    }
}

extension Administration {
    /// Adds a key of a game, with the scopes that such keys have by default.
    package func addKey(_ hash: TokenHash, name: DisplayName, to game: Slug, now: Instant) async throws(StoreError) -> (
        AdminOutcome, number: Int32?
    ) {
        let key = NewKey(id: UUID(), game: game, hash: hash, name: name, scopes: .ofGames)
        let (outcome, listed) = try await addKey(key, now: now)
        return (outcome, listed?.number)
    }
}
