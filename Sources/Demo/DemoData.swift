import Avatars
package import Domain
import FoundationEssentials
import Storage

/// Plausible sample data generated from a seed. Equal seed, end and number of players give the same rankings; players
/// can be generated in any order.
package struct DemoData: Sendable {
    /// The allowed number of players.
    package static let playersRange = 1...10_000_000
    /// Players of each game whose scores may have details, so that a large world loads as fast as without any.
    static let detailedPlayersMax = 5_000
    /// The games that all sample data has.
    package static let gameSlugs = Set(DemoGame.all.map(\.slug))

    let seed: UInt64
    let playTimes: PlayTimes
    let games = DemoGame.all
    let charities = DemoCharity.all
    /// Number of players of each game.
    let playersCounts: [Int]
    let picturesCount: Int
    private let ids: [PlayerIDs]
    private let closings: [Instant?]

    /// - Parameters:
    ///   - players: Players of the default game; clamped to ``playersRange``.
    ///   - until: The end of the data's history, exclusive.
    package init(players: Int, seed: UInt64, until: Instant) {
        let players = min(max(players, Self.playersRange.lowerBound), Self.playersRange.upperBound)
        let counts = games.map { game in game.playersPercent.map { max(players * $0 / 100, 6) } ?? players }
        self.seed = seed
        playTimes = PlayTimes(until: until)
        playersCounts = counts
        picturesCount = min(max(players / 8, 12), 512)
        ids = games.indices.map { PlayerIDs(game: $0, gamesCount: counts.count, playersCount: counts[$0], seed: seed) }
        closings = charities.map { $0.closesAt(until) }
    }

    package var playersCount: Int { playersCounts.reduce(0, +) }

    /// When games and charities were created.
    var foundedAt: Instant { playTimes.start.advanced(bySeconds: -30 * secondsPerDay) }

    /// The points that a charity hopes for: at least 100, a multiple of 100, with at most two significant digits.
    func goal(of charity: DemoCharity) -> Int64 { goal(perHundred: charity.goalPerHundred) }

    /// A goal of this many points for each hundred players of the default game.
    private func goal(perHundred points: Int64) -> Int64 {
        let exact = points * Int64(playersCounts[0]) / 100
        var step: Int64 = 100
        while step * 100 <= exact { step *= 10 }
        return max(exact / step, 1) * step
    }

    /// Whether the charity accepts a donation at this instant.
    func isOpen(_ charity: Int, at moment: Instant) -> Bool { closings[charity].map { moment < $0 } ?? true }

    /// - Parameters:
    ///   - index: 0 to below the number of players of the game.
    func player(_ index: Int, of game: Int) -> MadePlayer {
        var simulation = PlayerSimulation(of: index, in: game, of: self, id: ids[game].id(index))
        return simulation.played()
    }
}

extension DemoData {
    /// - Parameter index: 0 to below the number of players of the game.
    func id(_ index: Int, of game: Int) -> Player.ID { ids[game].id(index) }

    /// The games, boards, charities and pictures that must exist before the first player is loaded.
    func fixtures() throws(AvatarError) -> DemoFixtures {
        DemoFixtures(
            games: games.map { DemoFixtures.NewGame(slug: $0.slug, settings: $0.settings) },
            boards: games.flatMap { $0.boards.map(\.board) },
            charities: charities.map { charity in
                var change = CharityChange()
                (change.name, change.zone) = (charity.name, charity.zone)
                change.url = .set(charity.url)
                change.description = .set(charity.description)
                change.goal = .set(goal(of: charity))
                change.closesAt = charity.closesAt(playTimes.end).map { .set($0) } ?? .keep
                return DemoFixtures.NewCharity(slug: charity.slug, change: change)
            }, awards: DemoAward.all.map { DemoFixtures.NewAward(game: $0.game, slug: $0.slug, award: $0.award) },
            campaigns: campaigns, pictures: try Identicon.pictures(picturesCount, seed: seed), addedAt: foundedAt)
    }
}

extension DemoData {
    /// Campaigns: an open one that has reached some of its milestones, one that is over, one that is coming, and one
    /// over a score board.
    private var campaigns: [NewCampaign] {
        func campaign(
            _ slug: String, _ name: String, _ text: String, _ subject: NewCampaign.Subject, days: ClosedRange<Int32>,
            goalPerHundred: Int64? = nil, milestones: [(perHundred: Int64, name: String)] = []
        ) -> NewCampaign {
            let today = playTimes.end.dayInUTC
            // With few players, two milestones may have the same points.
            var seen: Set<Int64> = []
            let milestones = milestones.map { Milestone(points: goal(perHundred: $0.perHundred), name: $0.name) }.filter
            { seen.insert($0.points).inserted }
            let campaign = try? NewCampaign(
                slug: .known(slug), name: .known(name), text: text, subject: subject,
                firstDay: today.advanced(byDays: days.lowerBound), lastDay: today.advanced(byDays: days.upperBound),
                goal: goalPerHundred.map { goal(perHundred: $0) }, milestones: milestones)
            guard let campaign else { preconditionFailure("\(slug) is no campaign") }
            return campaign
        }
        return [
            campaign(
                "open-hands", "Open Hands", "A month for everybody: each donation to any of the charities counts.",
                .charity(.overall), days: -20...9, goalPerHundred: 300_000,
                milestones: [
                    (10_000, "Soup for a week"), (50_000, "A new book boat"), (400_000, "The old forest is back"),
                ]),
            campaign(
                "tree-month", "Tree Month", "Thirty days for the tree nursery.", .charity(.known("halloweth-trees")),
                days: -49...(-20), goalPerHundred: 6_000,
                milestones: [(2_000, "A thousand seedlings"), (6_000, "Ten thousand seedlings")]),
            campaign(
                "winter-wells", "Winter Wells", "Three wells before the dry season.", .charity(.known("sundrel-wells")),
                days: 6...36, goalPerHundred: 20_000, milestones: [(10_000, "The first well")]),
            campaign(
                "flying-week", "Flying Week", "Who flies the most metres this week?",
                .board(game: DemoGame.kestrel, board: .known("distance")), days: -3...3),
        ]
    }
}

/// Numbers of rows of sample data.
package struct DemoCounts: Sendable, Equatable {
    package var players = 0
    package var scores = 0
    package var donations = 0
    package var friendships = 0
    package var teams = 0
    package var challenges = 0
    package var plans = 0

    static func += (sum: inout DemoCounts, more: DemoCounts) {
        sum.players += more.players
        sum.scores += more.scores
        sum.donations += more.donations
        sum.friendships += more.friendships
        sum.teams += more.teams
        sum.challenges += more.challenges
        sum.plans += more.plans
    }
}

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
