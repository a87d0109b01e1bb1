import Avatars
package import Domain
import FoundationEssentials
import Storage

/// A believable world, made up from a seed: the same seed, end and number of players give the same world, player by
/// player, in any order.
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

    /// Whether a donation that comes then is taken.
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

extension World {
    /// What there must be before the first player comes.
    func fixtures() throws(AvatarError) -> DemoFixtures {
        let added = games.filter { $0.slug != .defaultGame }
        return DemoFixtures(
            games: added.map { DemoFixtures.NewGame(slug: $0.slug, name: $0.name) },
            boards: added.flatMap { $0.boards.map(\.board) },
            charities: charities.map { charity in
                var change = CharityChange()
                change.name = charity.name
                change.url = .set(charity.url)
                change.description = .set(charity.description)
                change.goal = .set(goal(of: charity))
                change.closesAt = charity.closesAt(evenings.end).map { .set($0) } ?? .keep
                return DemoFixtures.NewCharity(slug: charity.slug, change: change, zone: charity.zone)
            },
            pictures: try Identicon.pictures(picturesCount, seed: seed),
            addedAt: foundedAt
        )
    }
}

/// How much of a world there is.
package struct WorldCounts: Sendable, Equatable {
    package var players = 0
    package var scores = 0
    package var donations = 0

    static func += (sum: inout WorldCounts, more: WorldCounts) {
        sum.players += more.players
        sum.scores += more.scores
        sum.donations += more.donations
    }
}
