package import Domain
import Postgres

extension Store {
    /// Records scores in one transaction of one round trip: BEGIN; lock the players; judge and write; COMMIT.
    /// - Parameter scores: At most one a player.
    /// - Returns: A receipt for each, in their order. Nothing is acknowledged before its commit.
    /// - Throws: `.bug(.misuse)`, and nothing is sent, when a player is there twice.
    package func record(_ scores: [NewScore], now: Instant) async throws(StoreError) -> [ScoreReceipt] {
        let players = try Self.playersOnce(scores.map(\.player))
        let (_, judged) = try await intake { connection throws(PostgresError) in
            try await connection.transactionPipeline(PlayersLock(players: players), ScoreBatch(scores: scores, now: now))
        }
        return try Self.receipts(judged.map { ($0.player, $0.receipt) }, of: players)
    }

    /// Records gifts in one transaction of one round trip; none can overspend its wallet.
    /// - Parameter gifts: At most one a player.
    /// - Returns: A receipt for each, in their order.
    /// - Throws: `.bug(.misuse)`, and nothing is sent, when a player is there twice.
    package func give(_ gifts: [NewGift], now: Instant) async throws(StoreError) -> [GiftReceipt] {
        let players = try Self.playersOnce(gifts.map(\.player))
        let (_, judged) = try await intake { connection throws(PostgresError) in
            try await connection.transactionPipeline(PlayersLock(players: players), GiftBatch(gifts: gifts, now: now))
        }
        return try Self.receipts(judged.map { ($0.player, $0.receipt) }, of: players)
    }

    /// Two rows of one player would both be judged by the same wallet, and only one of them would reach it.
    private static func playersOnce(_ players: [Player.ID]) throws(StoreError) -> [Player.ID] {
        guard Set(players).count == players.count else { throw .bug(.misuse) }
        return players
    }

    /// The batch statement answers in any order, one row a player.
    private static func receipts<Receipt>(_ judged: [(Player.ID, Receipt)], of players: [Player.ID]) throws(StoreError) -> [Receipt] {
        let byPlayer = Dictionary(judged) { first, _ in first }
        var receipts: [Receipt] = []
        for player in players {
            guard let receipt = byPlayer[player], judged.count == players.count else { throw .wrongRowCount }
            receipts.append(receipt)
        }
        return receipts
    }
}
