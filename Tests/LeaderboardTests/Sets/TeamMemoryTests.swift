import Domain
import Foundation
import Storage
import TestDatabases
import TestDice
import Testing

@testable import Leaderboard

/// Rankings of teams from memory, compared with SQL and with a simple model.
@Suite struct TeamMemoryTests {
    private static func rows(_ live: LiveRankings, _ board: Board, _ days: ClosedRange<Day>?) async throws -> [TeamModel
        .Row]
    {
        let window = try #require(Window(days.map { "\($0.lowerBound.isoDate)..\($0.upperBound.isoDate)" } ?? "all"))
        let teams = try await live.rankings.teamRanking(
            of: board, window: window, days: days, pageRequest: .top, limitRows: 100)
        #expect(teams.ranking.size == Int64(teams.ranking.rows.count))
        return zip(teams.ranking.rows, teams.members).map { row, members in
            TeamModel.Row(
                team: Team.ID(rawValue: row.sortKey.row), points: row.points, reachedAt: row.reachedAt, members: members
            )
        }
    }

    @Test(
        "every ranking of teams in the memory of two servers is that of SQL and of a model", arguments: Dice.seeds(1, 2)
    ) func history(seed: UInt64) async throws {
        try await withTestDatabase { database in
            let history = try await TeamHistory(database, Dice(seed: seed))
            try await withFollower(database, now: { .noon(after: 30) }) { one in
                try await withFollower(database, now: { .noon(after: 30) }) { two in
                    try await Self.compare(history, [one, two], "seed \(seed)")
                }
            }
        }
    }

    private static func compare(_ begun: TeamHistory<Dice>, _ servers: [LiveRankings], _ label: String) async throws {
        var history = begun
        for step in 0..<120 {
            try await history.step()
            guard step % 6 == 5 else { continue }
            for server in servers { try await server.catchUp() }
            for asked in history.boards {
                for server in servers {
                    let board = try #require(
                        try await server.rankings.findBoard(
                            .score(game: .defaultGame, board: .of(asked.slug), season: nil)))
                    for days in history.windows {
                        let expected = history.model.ranking(board.slug, days)
                        #expect(
                            try await rows(server, board, days) == expected, "\(label), step \(step), \(board.slug)")
                        #expect(server.memory.teams.windowsCount > 0)
                    }
                }
            }
        }
    }

    @Test("a post marks the teams of its player alone, and a hundred thousand posts elsewhere mark nothing")
    func marks() async throws {
        try await withTestDatabase { database in
            try await database.setTeams()
            let board = try await database.addBoard("sums") { board in
                board.policy = .sum
                board.teams = .sum
            }
            try await database.addBoard("solo")
            let (ada, bob) = (try await database.teamPlayer("Ada"), try await database.teamPlayer("Bob"))
            try await database.makeTeam("Red", by: ada)
            try await database.makeTeam("Blue", by: bob)
            try await withFollower(database, now: { .noon }) { live in
                try await live.catchUp()
                _ = try await Self.rows(live, board, nil)
                let window = try #require(live.memory.teams.window(of: board, days: nil))
                try await live.wait("the first marks to be old") {
                    _ = try await Self.rows(live, board, nil)
                    if case .nothing = window.due().due { return true }
                    return false
                }
                let version = window.version
                try await database.post(5, by: ada.id, on: "solo")
                try await live.catchUp()
                #expect(window.version == version, "nothing changes for a post on another board")
                try await database.post(5, by: ada.id, on: "sums")
                try await live.catchUp()
                let team = try #require(try await database.store.team(of: ada.id)).id
                guard case .teams([team]) = window.due().due else { throw TestDatabaseError("\(window.due())") }
                #expect(try await Self.rows(live, board, nil).map(\.points) == [5])
            }
        }
    }

    @Test("nothing that was read from a window counts as current once the window was dropped") func dropped() throws {
        let board = Board(
            id: Board.ID(rawValue: 1), kind: .score, slug: "lap", name: "Lap", policy: .best, lowestFirst: false,
            ties: .first, zone: "UTC", opensAt: nil, closesAt: nil, endedAt: nil, bounds: 0...9,
            today: Day(daysSince1970: 20_000))
        let teams = TeamStandings()
        teams.begin([], merged: [], isPublished: true)
        let unread = try #require(teams.window(of: board, days: nil))
        #expect(unread.version != nil)
        teams.tidy(at: Limits.teamWindowSecondsMax + 1)
        #expect(unread.version == nil)
        let oldest = try #require(teams.window(of: board, days: nil))
        teams.tidy(at: Limits.teamWindowSecondsMax + 2)
        for day in 0..<Int32(Limits.teamWindowsMax) {
            let day = Day(daysSince1970: day)
            _ = teams.window(of: board, days: day...day)
        }
        #expect(oldest.version == nil)
        let last = try #require(teams.window(of: board, days: nil))
        teams.end()
        #expect(last.version == nil)
    }

    @Test("many members on many days are read by reading all teams") func batches() throws {
        let window = TeamWindow(
            InMemoryWindow.ID(board: Board.ID(rawValue: 1), days: nil), lowestFirst: false, askedAt: 0)
        let teams = (1...70).map { Team.ID(rawValue: $0) }
        #expect(window.batches(of: teams, daysCount: 10)?.map(\.count) == [32, 32, 6])
        #expect(window.batches(of: teams, daysCount: 5_000)?.map(\.count) == Array(repeating: 10, count: 7))
        #expect(window.batches(of: teams, daysCount: 10_000) == nil)
    }
}
