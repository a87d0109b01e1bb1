package import Domain
import Postgres

extension Store {
    /// Records scores in one transaction of one round trip: BEGIN; lock the players; judge and write; COMMIT.
    /// - Parameter scores: At most one a player.
    /// - Returns: A receipt for each, in their order. Nothing is acknowledged before its commit.
    package func record(_ scores: [NewScore], now: Instant) async throws(StoreError) -> [ScoreReceipt] {
        let players = scores.map(\.player)
        let (_, judged) = try await writing { connection throws(PostgresError) in
            try await connection.transactionPipeline(PlayersLock(players: players), ScoreBatch(scores: scores, now: now))
        }
        return try Self.receipts(judged.map { ($0.player, $0.receipt) }, of: players)
    }

    /// Records gifts in one transaction of one round trip; none can overspend its wallet.
    /// - Parameter gifts: At most one a player.
    /// - Returns: A receipt for each, in their order.
    package func give(_ gifts: [NewGift], now: Instant) async throws(StoreError) -> [GiftReceipt] {
        let players = gifts.map(\.player)
        let (_, judged) = try await writing { connection throws(PostgresError) in
            try await connection.transactionPipeline(PlayersLock(players: players), GiftBatch(gifts: gifts, now: now))
        }
        return try Self.receipts(judged.map { ($0.player, $0.receipt) }, of: players)
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
