import Credentials
import Domain
import Foundation
import Storage
import TestDatabases
import Testing

@testable import Leaderboard

/// A board among friends, in memory and by SQL: windows, pages, donations and held scores.
@Suite struct FriendsRankingTests {
    private static let now = Instant.noon.advanced(bySeconds: 60)

    /// Makes players of whom the first one is a friend of the even ones.
    private static func players(_ database: TestDatabase, _ count: Int) async throws -> [Player.ID] {
        var ids: [Player.ID] = []
        for number in 0..<count { ids.append(try await database.addPlayer("P\(number)", points: 100)) }
        let pairs = stride(from: 2, to: count, by: 2).map { "(\(ids[0].rawValue), \(ids[$0].rawValue))" }
        try await database.owner.script(
            """
            insert into tie (player_id, other_id, says, at)
            select case when n = 1 then a else b end, case when n = 1 then b else a end, 'yes', now()
              from (values \(pairs.joined(separator: ", "))) v (a, b), generate_series(1, 2) n
            """)
        return ids
    }

    private static func bySQL(_ database: TestDatabase) -> Rankings {
        Rankings(store: database.store, clock: ServerClock { now }, memory: LeaderboardMemory(store: database.store))
    }

    /// Compares pages of the board among the friends of some players.
    private static func compare(
        _ live: LiveRankings, _ subject: Rankings.Subject, _ players: [Player.ID], _ label: String
    ) async throws {
        let bySQL = bySQL(live.database)
        let board = try #require(try await bySQL.findBoard(subject))
        for name in ["all", "today", "2026-11", "2026-11-19..2026-11-20"] {
            let window = try #require(Window(name))
            try await live.wait("\(name) of \(board.slug)") {
                try await live.catchUp()
                return live.memory.standings.read(board, days: window.days(today: board.today)) { _, _ in true } == true
            }
            for player in players {
                for (first, limit) in [(Int64(1), 100), (1, 2), (2, 2), (3, 1), (99, 5)] {
                    func read(_ rankings: Rankings) async throws -> Ranking {
                        try await rankings.ranking(
                            of: board, window: window, amongFriendsOf: player, from: first, limitRows: limit,
                            includesTotal: true)
                    }
                    let (found, expected) = (try await read(live.rankings), try await read(bySQL))
                    #expect(found == expected, "\(label): \(board.slug) \(name) \(player) \(first) \(limit)")
                }
            }
        }
    }

    @Test("windows, pages and donations are the same from memory and by SQL") func sources() async throws {
        try await withTestDatabase { database in
            for (slug, ties) in [("lap", Board.Ties.first), ("shared", .shared)] {
                try await database.addBoard(slug) { board in
                    board.ties = ties
                    board.lowestFirst = slug == "lap"
                }
            }
            try await database.addCharity("trees")
            let ids = try await Self.players(database, 9)
            for (number, id) in ids.enumerated() {
                for slug in ["lap", "shared"] where number != 4 {
                    let day = Instant.noon.advanced(bySeconds: Int64(number % 3 - 2) * 86_400)
                    try await database.post(Int64(10 + number / 3), by: id, on: slug, at: day)
                }
                if number % 3 != 1 { try await database.donate(Int64(number + 1), by: id, to: "trees") }
            }
            try await database.donate(50, by: ids[2], to: "trees", isAnonymous: true)
            try await database.moderate(.hide(ids[6]))
            let now = Self.now
            try await withFollower(database, now: { now }) { live in
                let subjects: [Rankings.Subject] = [
                    .score(game: .defaultGame, board: .of("lap"), season: nil),
                    .score(game: .defaultGame, board: .of("shared"), season: nil), .charity(.of("trees")),
                    .contributors,
                ]
                for subject in subjects {
                    try await Self.compare(live, subject, [ids[0], ids[1], ids[2], ids[6]], "\(subject)")
                }
                let board = try #require(try await live.rankings.findBoard(subjects[1]))
                let top = try await live.rankings.ranking(
                    of: board, window: .all, amongFriendsOf: ids[0], from: 1, limitRows: 2, includesTotal: true)
                #expect(top.size == 3 && top.hasNext && !top.hasPrevious && top.among?.players == .friends)
                // P4 has posted nothing and P6 is hidden.
                #expect(top.rows.map(\.name) == ["P8", "P0"] && top.among?.places == [1, 2])
                #expect(live.memory.ties.bytesCount > 0)
            }
        }
    }

    @Test("who is known to have no held scores asks SQL again when one is held, and after that is undone")
    func holding() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("lap")
            let ids = try await Self.players(database, 3)
            for (number, id) in ids.enumerated() { try await database.post(Int64(10 + number), by: id, on: "lap") }
            let now = Self.now
            try await withFollower(database, now: { now }) { live in
                let subject = Rankings.Subject.score(game: .defaultGame, board: .of("lap"), season: nil)
                let board = try #require(try await live.rankings.findBoard(subject))
                func own(_ player: Player.ID) async throws -> Int64? {
                    try await live.catchUp()
                    return try await live.rankings.findOwnPosition(of: player, on: board, window: .all)?.position
                        .position
                }
                try await live.wait("what is held to be remembered") {
                    let place = try await own(ids[0])
                    #expect(place == nil)
                    return live.memory.holds.bytesCount > 0
                }
                try await database.owner.script("update board set judge = 60 where slug = 'lap'")
                try await database.post(13, by: ids[0], on: "lap", at: Self.now)
                try await live.wait("the held score to be noticed") { try await own(ids[0]) == 1 }
                let merge = try await database.moderate(.merge(ids[0], into: ids[1]), at: Self.now)
                try await live.wait("the merged player to be noticed") { try await own(ids[1]) == 1 }
                try await database.moderate(.undo(merge))
                try await live.wait("the parted player to be noticed") { try await own(ids[1]) != 1 }
                try await database.moderate(.voidAll(ids[0], heldOnly: true))
                try await live.wait("the voided score to be noticed") {
                    try await database.owner.script(
                        "update held_score set secret_until = '2020-01-01'; update wallet set secret_until = null")
                    return try await own(ids[0]) == nil
                }
            }
        }
    }

    @Test("while a score of the player is held, the player and its friends stand where they would if it counted")
    func held() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("lap")
            let ids = try await Self.players(database, 6)
            for (number, id) in ids.enumerated() { try await database.post(Int64(10 + number), by: id, on: "lap") }
            // From now on each score waits for the game's verdict.
            try await database.owner.script("update board set judge = 60 where slug = 'lap'")
            try await database.post(13, by: ids[0], on: "lap", at: Self.now)
            let now = Self.now
            try await withFollower(database, now: { now }) { live in
                let subject = Rankings.Subject.score(game: .defaultGame, board: .of("lap"), season: nil)
                try await Self.compare(live, subject, [ids[0], ids[2], ids[4]], "held")
                let board = try #require(try await live.rankings.findBoard(subject))
                func rows(of player: Player.ID) async throws -> [String] {
                    let ranking = try await live.rankings.ranking(
                        of: board, window: .all, amongFriendsOf: player, from: 1, limitRows: 9, includesTotal: false)
                    return zip(ranking.rows, ranking.ranks).map { row, rank in
                        "\(row.name) \(row.points) \(rank.number)\(rank.isTied ? " tied" : "")"
                    }
                }
                // P5 has 15 points, P4 14, P3 and now P0 13, P2 12.
                #expect(try await rows(of: ids[0]) == ["P4 14 2", "P0 13 4 tied", "P2 12 5"])
                #expect(try await rows(of: ids[2]) == ["P2 12 4", "P0 10 6"])
            }
        }
    }
}
