import Domain
import Foundation
import Testing

@testable import Feeds

/// Feeds with flags, of teams and of countries, in every format, to the byte.
@Suite struct GroupFeedTests {
    private static let at = Samples.instant("2026-11-21T18:04:05.250000Z")
    /// The spreadsheet formula and the markup must come out harmless in each format.
    private static let names = ["Ada", "=1+2 <b>&\"", "مرحبا"]

    private static func ranking(_ rows: [(row: Int64, name: String, flag: String?, points: Int128)]) -> Ranking {
        let board = Board(
            id: Board.ID(rawValue: 1), kind: .score, slug: "lap", name: "Lap & more", policy: .best, lowestFirst: false,
            ties: .shared, zone: "Europe/Berlin", opensAt: nil, closesAt: nil, endedAt: nil, bounds: 0...1_000,
            teams: .best(3), countries: CountryScoring(best: 3), showsFlags: true, today: at.dayInUTC)
        let standings = rows.enumerated().map { index, row in
            Standing(
                row: row.row, name: row.name, avatar: nil, flag: row.flag.flatMap { CountryFlag(stored: $0) },
                points: row.points, reachedAt: at.advanced(bySeconds: Int64(index)), orderKey: -row.points)
        }
        return Ranking(
            board: board, window: .all, days: nil, span: nil, isFinal: false, size: Int64(rows.count), rows: standings,
            ranks: Ranks.consecutive(standings.map(\.points), limitRows: standings.count, ties: .shared),
            hasNext: false, hasPrevious: false)
    }

    @Test("rows with flags, one without, and one of somebody who was erased") func flags() throws {
        let ranking = Self.ranking([
            (701, Self.names[0], "DE-BE", 900), (702, Self.names[1], nil, 900), (703, Self.names[2], "EG", 850),
            (704, "", nil, 20),
        ])
        let feed = Feed.standings(ranking, path: "/v1/games/maze/boards/lap/top", query: "") { "/v1/avatars/\($0).png" }
        try Self.matches("flags", feed)
    }

    @Test("teams") func teams() throws {
        let ranking = Self.ranking(
            Self.names.enumerated().map { (Int64(71 + $0.offset), $0.element, nil, $0.offset == 2 ? 10 : 2_400) })
        let feed = Feed.teams(
            TeamRanking(ranking, members: [4, 1, 30]), path: "/v1/games/maze/boards/lap/teams/top", query: "window=all")
        try Self.matches("teams", feed)
    }

    @Test("countries, and the regions of one", arguments: [nil, "DE"]) func countries(country: String?) throws {
        let codes = country.map { [$0 + "-BE", $0 + "-BY"] } ?? ["DE", "FR", "EG"]
        let sums = try codes.enumerated().map { index, code in
            CountrySum(
                country: try #require(CountryFlag(code)), points: index == 2 ? 10 : 2_400,
                reachedAt: Self.at.advanced(bySeconds: Int64(index)), players: Int64(4 - index))
        }
        let countries = CountryRanking(
            sums, of: country.flatMap { CountryFlag($0) }, on: Self.ranking([]).board, window: .all, days: nil,
            span: nil, isFinal: false, pageRequest: .top, limitRows: 10)
        let query = country.map { "of=" + $0 } ?? ""
        let feed = Feed.countries(countries, path: "/v1/games/maze/boards/lap/countries/top", query: query)
        try Self.matches(country == nil ? "countries" : "regions", feed)
    }

    @Test("the winners of seasons, of which one was played by nobody") func winners() throws {
        let ranking = Self.ranking([
            (701, Self.names[0], "DE-BE", 900), (702, Self.names[1], nil, 900), (703, Self.names[2], "EG", 850),
            (704, "", nil, 850),
        ])
        let seasons = [ranking.rows, [], Array(ranking.rows.suffix(1))].enumerated().map { index, rows in
            PastSeasons.Season(
                number: Int32(3 - index), endedAt: Self.at.advanced(bySeconds: Int64(-index) * 86_400), ties: .shared,
                display: .number, rows: rows)
        }
        #expect(seasons[0].ranks.map(\.number) == [1, 1, 3] && seasons[0].ranks[2].isTied)
        let past = PastSeasons(board: ranking.board, newest: nil, seasons: seasons, next: nil)
        let feed = Feed.winners(past, path: "/v1/games/maze/boards/lap/winners", query: "") { "/v1/avatars/\($0).png" }
        try Self.matches("winners", feed)
    }

    /// Compares the feed in every format with a file. With RECORD_FEEDS=1 in the environment it writes that file.
    private static func matches(_ name: String, _ feed: Feed) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/\(name).txt")
        let seen = FeedFormat.allCases.map { format in
            "== \(format)\n" + String(decoding: feed.bytes(format, links: Samples.links), as: UTF8.self) + "\n"
        }.joined()
        if ProcessInfo.processInfo.environment["RECORD_FEEDS"] == "1" { try Data(seen.utf8).write(to: file) }
        let kept = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let difference = zip(seen.split(separator: "\n"), kept.split(separator: "\n")).first { $0 != $1 }
        #expect(
            Array(seen.utf8) == Array(kept.utf8), "first difference in \(name).txt: \(String(describing: difference))")
    }
}
