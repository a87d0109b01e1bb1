import Domain
import Storage

/// A game of the demo.
struct WorldGame: Sendable {
    struct Place: Sendable {
        let board: NewBoard
        let sport: Sport
    }

    let slug: Slug
    let name: DisplayName
    let boards: [Place]
    /// Of the default game's players, in a hundred; nil for that game itself.
    let playersPercent: Int?
    /// Who found it comes back more often.
    let hasRegulars: Bool
}

extension WorldGame {
    /// The first is `default`, which is there already with its board.
    static let all: [WorldGame] = [
        WorldGame(
            slug: .defaultGame, name: .known("Default"),
            boards: [Place(board: board(.highScores, "High scores", in: .defaultGame, bounds: 1...Int64.max), sport: .arcade)],
            playersPercent: nil, hasRegulars: false),
        WorldGame(
            slug: kestrel, name: .known("Kestrel Run"),
            boards: [
                Place(
                    board: board(
                        "lap-times", "Lap times, in ms", in: kestrel, lowestFirst: true, bounds: 20_000...3_600_000, zone: "Europe/Berlin",
                        ties: .shared, earning: .none), sport: .lapMilliseconds),
                Place(
                    board: board(
                        "distance", "Metres flown", in: kestrel, policy: .sum, bounds: 0...1_000_000, zone: "Europe/Berlin",
                        earning: .fixed(25)),
                    sport: .metres),
                Place(
                    board: board(
                        "penalties", "Penalty seconds", in: kestrel, policy: .sum, lowestFirst: true, bounds: 0...3_600, zone: "UTC",
                        ties: .shared, earning: .none), sport: .penaltySeconds),
            ], playersPercent: 4, hasRegulars: true),
        WorldGame(
            slug: letters, name: .known("Letter Harbour"),
            boards: [
                Place(
                    board: board(
                        "best-word", "Best word", in: letters, bounds: 0...10_000, zone: "America/New_York", ties: .shared, earning: .points
                    ),
                    sport: .wordPoints),
                Place(
                    board: board(
                        "rating", "Rating", in: letters, policy: .latest, bounds: 0...4_000, zone: "America/New_York", ties: .shared,
                        earning: .none), sport: .rating),
            ], playersPercent: 3, hasRegulars: true),
        WorldGame(
            slug: fairway, name: .known("Fairway Nine"),
            boards: [
                Place(
                    board: board(
                        "points", "Points of the season", in: fairway, policy: .sum, bounds: 0...1_000, zone: "Pacific/Auckland",
                        earning: .points), sport: .holePoints),
                Place(
                    board: board(
                        "handicap", "Handicap, in tenths", in: fairway, policy: .latest, lowestFirst: true, bounds: 0...540,
                        zone: "Pacific/Auckland", earning: .none), sport: .handicapTenths),
                Place(
                    board: board(
                        "strokes", "Fewest strokes", in: fairway, lowestFirst: true, bounds: 9...999, zone: "Pacific/Auckland",
                        ties: .shared,
                        earning: .fixed(10)), sport: .strokes),
            ], playersPercent: 2, hasRegulars: true),
    ]

    private static let kestrel = Slug.known("kestrel-run")
    private static let letters = Slug.known("letter-harbour")
    private static let fairway = Slug.known("fairway-nine")

    private static func board(
        _ slug: Slug, _ name: String, in game: Slug, policy: Board.Policy = .best, lowestFirst: Bool = false, bounds: ClosedRange<Int64>,
        zone: String = "UTC", ties: Board.Ties = .first, earning: Earning = .points
    ) -> NewBoard {
        NewBoard(
            game: game, slug: slug, name: .known(name), policy: policy, lowestFirst: lowestFirst, bounds: bounds, zone: zone, ties: ties,
            earning: earning, earnMax: nil, earnDay: nil, opensAt: nil, closesAt: nil)
    }

    private static func board(
        _ slug: String, _ name: String, in game: Slug, policy: Board.Policy = .best, lowestFirst: Bool = false, bounds: ClosedRange<Int64>,
        zone: String, ties: Board.Ties = .first, earning: Earning
    ) -> NewBoard {
        board(
            .known(slug), name, in: game, policy: policy, lowestFirst: lowestFirst, bounds: bounds, zone: zone, ties: ties, earning: earning
        )
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
