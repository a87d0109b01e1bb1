import Domain
import Storage

/// A game of the demo.
struct DemoGame: Sendable {
    /// A board of the game, and what is played for on it.
    struct PlayedBoard: Sendable {
        let board: DemoFixtures.DemoBoard
        let sport: Sport
    }

    let slug: Slug
    let name: DisplayName
    let boards: [PlayedBoard]
    /// Number of players in percent of the default game's; nil for that game itself.
    let playersPercent: Int?
    /// Whether its players come back more often than those of the default game.
    let hasRegulars: Bool
    let friends: FriendRules
    let teams: TeamRules
    let flags: Bool

    /// The settings that it does not have by itself. Where players make teams, everybody sees who is in them.
    var settings: GameChange {
        var settings = GameChange()
        (settings.name, settings.friends, settings.teams, settings.flags) = (name, friends, teams, flags)
        settings.teamRosters = teams == .codes ? .public : .members
        if slug == .defaultGame { (settings.plans, settings.challenges, settings.stakeMax) = (true, .friends, 10) }
        return settings
    }
}

extension DemoGame {
    /// All games of the demo. The first is `default`, which exists already with its board.
    static let all: [DemoGame] = [
        DemoGame(
            slug: .defaultGame, name: .known("Default"),
            boards: [
                PlayedBoard(
                    board: board(
                        Slug.highScores.description, "High scores", in: .defaultGame, bounds: 1...Int64.max,
                        teams: .best(5), countries: 10), sport: .arcade)
            ], playersPercent: nil, hasRegulars: false, friends: .requests, teams: .codes, flags: true),
        DemoGame(
            slug: kestrel, name: .known("Kestrel Run"),
            boards: [
                PlayedBoard(
                    board: board(
                        "lap-times", "Lap times", in: kestrel, lowestFirst: true, bounds: 20_000...3_600_000,
                        zone: "Europe/Berlin", ties: .shared, earning: .none, display: .milliseconds, details: .public,
                        teams: .best(3), countries: 3), sport: .lapMilliseconds),
                PlayedBoard(
                    board: board(
                        "distance", "Metres flown", in: kestrel, policy: .sum, bounds: 0...1_000_000,
                        zone: "Europe/Berlin", earning: .fixed(25), unit: "m", teams: .sum, countries: 10),
                    sport: .metres),
                PlayedBoard(
                    board: board(
                        "penalties", "Penalty time", in: kestrel, policy: .sum, lowestFirst: true, bounds: 0...3_600,
                        zone: "UTC", ties: .shared, earning: .none, display: .seconds), sport: .penaltySeconds),
            ], playersPercent: 4, hasRegulars: true, friends: .requests, teams: .codes, flags: true),
        DemoGame(
            slug: letters, name: .known("Letter Harbour"),
            boards: [
                PlayedBoard(
                    board: board(
                        "best-word", "Best word", in: letters, bounds: 0...10_000, zone: "America/New_York",
                        ties: .shared, earning: .points, teams: .best(5)), sport: .wordPoints),
                PlayedBoard(
                    board: board(
                        "rating", "Rating", in: letters, policy: .latest, bounds: 0...4_000, zone: "America/New_York",
                        ties: .shared, earning: .none), sport: .rating),
            ], playersPercent: 3, hasRegulars: true, friends: .codes, teams: .server, flags: false),
        DemoGame(
            slug: fairway, name: .known("Fairway Nine"),
            boards: [
                PlayedBoard(
                    board: board(
                        "points", "Points of the season", in: fairway, policy: .sum, bounds: 0...1_000,
                        zone: "Pacific/Auckland", earning: .points), sport: .holePoints),
                PlayedBoard(
                    board: board(
                        "handicap", "Handicap, in tenths", in: fairway, policy: .latest, lowestFirst: true,
                        bounds: 0...540, zone: "Pacific/Auckland", earning: .none), sport: .handicapTenths),
                PlayedBoard(
                    board: board(
                        "strokes", "Fewest strokes", in: fairway, lowestFirst: true, bounds: 9...999,
                        zone: "Pacific/Auckland", ties: .shared, earning: .fixed(10)), sport: .strokes),
            ], playersPercent: 2, hasRegulars: true, friends: .off, teams: .off, flags: false),
    ]

    static let kestrel = Slug.known("kestrel-run")
    private static let letters = Slug.known("letter-harbour")
    static let fairway = Slug.known("fairway-nine")

    private static func board(
        _ slug: String, _ name: String, in game: Slug, policy: Board.Policy = .best, lowestFirst: Bool = false,
        bounds: ClosedRange<Int64>, zone: String = "UTC", ties: Board.Ties = .first, earning: Earning = .points,
        display: PointsDisplay.Form = .number, unit: String? = nil, details: Board.Details = .private,
        teams: TeamScoring = .off, countries: Int32? = nil
    ) -> DemoFixtures.DemoBoard {
        var settings = BoardChange()
        settings.name = .known(name)
        (settings.policy, settings.lowestFirst) = (policy, lowestFirst)
        (settings.pointsMin, settings.pointsMax) = (bounds.lowerBound, bounds.upperBound)
        (settings.zone, settings.ties, settings.earning) = (zone, ties, earning)
        settings.display = display
        if let unit = unit.flatMap(PointsUnit.init) { settings.unit = .set(unit) }
        (settings.details, settings.teams) = (details, teams)
        if let countries { settings.countries = CountryScoring(best: countries) }
        guard let completed = try? settings.completed(for: .known(slug)) else {
            preconditionFailure("\(slug) is no board")
        }
        return DemoFixtures.DemoBoard(game: game, slug: .known(slug), settings: completed)
    }
}

extension Slug {
    static func known(_ text: String) -> Slug {
        guard let slug = Slug(text) else { preconditionFailure("\(text) is no slug") }
        return slug
    }
}

extension DisplayName {
    static func known(_ text: String) -> DisplayName {
        guard let name = DisplayName(text) else { preconditionFailure("\(text) is no name") }
        return name
    }
}

/// What a board counts, and how skill and practice affect the points.
enum Sport: Sendable {
    case arcade, lapMilliseconds, metres, penaltySeconds, wordPoints, rating, holePoints, handicapTenths, strokes

    /// - Parameters:
    ///   - skill: A standard normal deviate.
    ///   - practice: From 0 for the first post to 1 from the sixty-first on.
    ///   - last: The player's previous points on this board; nil before the first.
    func points(skill: Double, practice: Double, last: Int64?, _ chance: inout Chance) -> Int64 {
        switch self {
        case .arcade: 10 * Int64(grown(5.9 + 0.55 * skill + 0.8 * practice + 0.5 * chance.bell()))
        case .lapMilliseconds: 41_000 + Int64(30_000 * grown(-0.45 * skill - 0.5 * practice + 0.25 * chance.bell()))
        case .metres: 800 + Int64(2_400 * grown(0.4 * skill + 0.3 * chance.bell()))
        case .penaltySeconds: chance.happens(percent: 60) ? 0 : 5 * (1 + chance.below(4 as Int64))
        case .wordPoints: 14 + Int64(30 * grown(0.35 * skill + 0.35 * chance.bell()))
        case .rating:
            min(
                max((last ?? Int64(1_200 + 180 * skill)) + chance.below(49 as Int64) - 24 + Int64(4 * skill), 100),
                3_000)
        case .holePoints: 4 + chance.below(14 as Int64) + Int64(max(0, 4 * skill))
        case .handicapTenths: min(max((last ?? Int64(300 - 60 * skill)) + chance.below(15 as Int64) - 9, 0), 540)
        case .strokes: 24 + Int64(20 * grown(-0.3 * skill - 0.3 * practice + 0.15 * chance.bell()))
        }
    }
}

extension Chance {
    /// The detail that a game sends with some of its scores: JSON without white space.
    mutating func detail(of sport: Sport) -> String? {
        guard case .lapMilliseconds = sport, happens(percent: 80) else { return nil }
        let (plumage, wind, build) = (one(of: ["ash", "copper", "russet", "slate"]), below(9), below(4))
        return #"{"plumage":"\#(plumage)","wind":\#(wind),"build":"1.4.\#(build)"}"#
    }
}
