package import Domain
package import FoundationEssentials
package import Storage

/// Where scores and gifts come in. Nothing is acknowledged before its commit.
package struct Intake: Sendable {
    private let store: Store
    private let clock: ServerClock

    package init(store: Store, clock: ServerClock) {
        self.store = store
        self.clock = clock
    }

    /// Records a score under the client's id, or under one that is made for it.
    /// - Parameters:
    ///   - id: The client's own; with nil an equal score of the last 60 s is the same post.
    ///   - name: What it came with, if that is not simply the player's.
    /// - Returns: What the books say, and the player's rank on the board now (nil without a standing).
    package func recordClassic(
        points: Int64, on board: Slug, in game: Game.ID, by player: Player.ID, id: UUID?, name: PlayerName? = nil
    ) async throws(StoreError) -> (receipt: ScoreReceipt, rank: Int64?) {
        let score = classicScore(points: points, on: board, in: game, by: player, id: id, name: name)
        guard let receipt = try await store.record([score], now: clock.now).first else { throw .wrongRowCount }
        guard let board = receipt.board else { return (receipt, nil) }
        return (receipt, try await store.findRank(of: player, on: board))
    }

    /// Registers a device that is not known yet by its first score, both or neither.
    package func recordFirstClassic(
        points: Int64, on board: Slug, in game: Game, by device: DeviceHash, name: PlayerName, source: String
    ) async throws(StoreError) -> FirstPost {
        try await store.registerAndRecord(Registration(name: name, source: source), device: device, in: game, now: clock.now) { player in
            classicScore(points: points, on: board, in: game.id, by: player, id: nil, name: name)
        }
    }

    /// Records a gift under the client's id, or under one that is made for it.
    /// - Parameters:
    ///   - points: 1 or more.
    ///   - id: The client's own; with nil an equal gift of the last 60 s is the same one.
    package func giveClassic(points: Int64, to charity: CharityName, by player: Player.ID, id: UUID?) async throws(StoreError)
        -> GiftReceipt
    {
        let gift = NewGift(
            player: player, id: id ?? UUID(), charity: charity, points: points, isAnonymous: false, isIDless: id == nil,
            reachedAt: clock.arrival())
        guard let receipt = try await store.give([gift], now: clock.now).first else { throw .wrongRowCount }
        return receipt
    }

    private func classicScore(points: Int64, on board: Slug, in game: Game.ID, by player: Player.ID, id: UUID?, name: PlayerName?)
        -> NewScore
    {
        NewScore(
            player: player, id: id ?? UUID(), game: game, board: board, points: points, playedAt: nil, name: name, isClassic: true,
            isIDless: id == nil,
            reachedAt: clock.arrival())
    }
}
