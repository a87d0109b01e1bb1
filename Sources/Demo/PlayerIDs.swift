import Domain

/// Player ids that look random and never collide, without a list of used ones: the range is cut into as many slices as
/// there are players, and each player gets a random id in its slice. Ids ascend, so an index grows at its end while
/// they are loaded.
struct PlayerIDs {
    private let first: Int64
    private let sliceWidth: Int64
    private let step: Int64
    private let seed: UInt64
    private let game: Int

    /// - Parameter game: 0 is `default`; the other games share the range above that of `default`, each with ids of its
    ///   own.
    init(game: Int, gamesCount: Int, playersCount: Int, seed: UInt64) {
        self.game = game
        self.seed = seed
        if game == 0 {
            first = 1
            step = 1
            sliceWidth = Limits.classicPlayerIDMax / Int64(max(playersCount, 1))
        } else {
            first = Limits.classicPlayerIDMax + Int64(game)
            step = Int64(max(gamesCount - 1, 1))
            sliceWidth = (Limits.newPlayerIDMax - Limits.classicPlayerIDMax) / step / Int64(max(playersCount, 1))
        }
    }

    func id(_ index: Int) -> Player.ID {
        var chance = Chance(seed: seed, subject: 0x1D00 + UInt64(game), index: UInt64(index))
        return Player.ID(rawValue: first + (Int64(index) * sliceWidth + chance.below(sliceWidth)) * step)
    }
}
