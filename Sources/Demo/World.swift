package import Domain
import FoundationEssentials
import Storage

/// A believable world, made up from a seed: the same seed, end and number of players give the same world, player by player, in any order.
package struct World: Sendable {
    /// How many players there may be.
    package static let playersRange = 1...10_000_000

    let seed: UInt64
    let evenings: Evenings
    let games = WorldGame.all
    let charities = WorldCharity.all
    /// Of each game.
    let playersCounts: [Int]
    let picturesCount: Int
    private let ids: [PlayerIDs]
    private let closings: [Instant?]

    /// - Parameters:
    ///   - players: Of the default game; kept within ``playersRange``.
    ///   - until: Everything has happened before this moment.
    package init(players: Int, seed: UInt64, until: Instant) {
        let players = min(max(players, Self.playersRange.lowerBound), Self.playersRange.upperBound)
        let counts = games.map { game in game.playersPercent.map { max(players * $0 / 100, 6) } ?? players }
        self.seed = seed
        evenings = Evenings(until: until)
        playersCounts = counts
        picturesCount = min(max(players / 8, 12), 512)
        ids = games.indices.map { PlayerIDs(game: $0, gamesCount: counts.count, playersCount: counts[$0], seed: seed) }
        closings = charities.map { $0.closesAt(until) }
    }

    package var playersCount: Int { playersCounts.reduce(0, +) }

    /// When games and charities were set up.
    var foundedAt: Instant { evenings.start.advanced(bySeconds: -30 * secondsPerDay) }

    /// What a charity hopes for.
    func goal(of charity: WorldCharity) -> Int64 {
        let exact = charity.goalPerHundred * Int64(playersCounts[0]) / 100
        var step: Int64 = 100
        while step * 100 <= exact { step *= 10 }
        return max(exact / step, 1) * step
    }

    /// Whether a gift that comes then is taken.
    func isOpen(_ charity: Int, at moment: Instant) -> Bool {
        closings[charity].map { moment < $0 } ?? true
    }

    /// - Parameters:
    ///   - index: From 0 to below the game's number of players.
    func player(_ index: Int, of game: Int) -> MadePlayer {
        var life = Life(of: index, in: game, of: self, id: ids[game].id(index))
        return life.lived()
    }
}
