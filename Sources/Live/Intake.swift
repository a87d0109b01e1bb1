package import Domain
package import Storage

/// Where scores and gifts come in. Nothing is acknowledged before its commit.
package struct Intake: Sendable {
    /// A receipt, and where the player stands now.
    package struct Recorded<Receipt: Sendable>: Sendable {
        package let receipt: Receipt
        /// As it is displayed; nil without a row on the board, and for a hidden player.
        package let rank: Int64?
        /// How many are ranked in all; nil when nobody asked.
        package let size: Int64?
    }

    private let store: Store
    private let clock: ServerClock
    private let sizes: BoardSizes

    package init(store: Store, clock: ServerClock, sizes: BoardSizes) {
        self.store = store
        self.clock = clock
        self.sizes = sizes
    }

    /// Records a score.
    /// - Parameters:
    ///   - countsAll: Whether the answer says how many are ranked in all.
    ///   - score: Made for the time of its arrival.
    package func record(countsAll: Bool, _ score: (Instant) -> NewScore) async throws -> Recorded<ScoreReceipt> {
        guard let receipt = try await store.record([score(clock.arrival())], now: clock.now).first else { throw StoreError.wrongRowCount }
        guard receipt.outcome == .recorded || receipt.outcome == .retry else { return Recorded(receipt: receipt, rank: nil, size: nil) }
        return try await ranked(receipt, row: receipt.player?.rawValue, on: receipt.board, ties: receipt.ties, countsAll: countsAll)
    }

    /// Records a gift. The rank is that on the charity's giving board.
    /// - Parameter gift: Made for the time of its arrival.
    package func give(_ gift: (Instant) -> NewGift) async throws -> Recorded<GiftReceipt> {
        guard let receipt = try await store.give([gift(clock.arrival())], now: clock.now).first else { throw StoreError.wrongRowCount }
        guard receipt.outcome == .recorded || receipt.outcome == .retry else { return Recorded(receipt: receipt, rank: nil, size: nil) }
        return try await ranked(receipt, row: receipt.row, on: receipt.board, ties: receipt.ties, countsAll: false)
    }

    /// Registers a device that is not known yet by its first score, both or neither.
    package func recordFirstClassic(
        points: Int64, on board: Slug, in game: Game, by device: DeviceHash, name: PlayerName, source: String
    ) async throws(StoreError) -> FirstPost {
        try await store.registerAndRecord(Registration(name: name, source: source), device: device, in: game, now: clock.now) { player in
            NewScore(
                points, by: .player(player), on: board, in: game.slug, id: nil, name: name, isClassic: true, reachedAt: clock.arrival())
        }
    }

    /// Adds where a row stands now.
    package func ranked<Receipt>(_ receipt: Receipt, row: Int64?, on board: Board.ID?, ties: Board.Ties?, countsAll: Bool)
        async throws -> Recorded<Receipt>
    {
        guard let row, let board, let ties else { return Recorded(receipt: receipt, rank: nil, size: nil) }
        let place = try await store.places(of: [row], on: board, days: nil).first
        let size = countsAll ? try await sizes.size(of: board, days: nil) : nil
        return Recorded(receipt: receipt, rank: place?.rank(ties).number, size: size)
    }
}
