import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

@Suite struct StandingRuleTests {
    /// Records posts of one player, as points and seconds after noon in the order of arrival, and returns what
    /// `standing` and the one `tally` then have.
    private func standing(_ policy: Board.Policy, lowestFirst: Bool = false, _ posts: [(points: Int64, seconds: Int64)])
        async throws -> [String]
    {
        var rows: [String] = []
        try await withTestDatabase { database in
            try await database.addBoard("ladder") {
                $0.policy = policy
                $0.lowestFirst = lowestFirst
            }
            let ada = try await database.addPlayer("Ada")
            for post in posts {
                let before = try await Self.kept(database, "standing")
                let receipt = try await database.post(
                    post.points, by: ada, on: "ladder", at: Instant.noon.advanced(bySeconds: post.seconds))
                let after = try await Self.kept(database, "standing")
                #expect(receipt.best.map { "\($0)" } == after[0].split(separator: " ").first.map(String.init))
                let points = try [before.first, after[0]].map { row in
                    try row.map { try #require(Int64($0.prefix { $0 != " " })) }
                }
                let isBetter = try points[0].map { was in
                    lowestFirst ? try #require(points[1]) < was : try #require(points[1]) > was
                }
                #expect(receipt.improved == isBetter ?? true)
            }
            #expect(try await database.auditComplaints() == [])
            rows = try await Self.kept(database, "standing")
            #expect(try await Self.kept(database, "tally") == rows)
        }
        return rows
    }

    private static func kept(_ database: TestDatabase, _ table: String) async throws -> [String] {
        try await database.owner.ask(
            "select points || ' ' || extract(epoch from reached_at - '2026-11-20T12:00:00Z')::int from \(table)")
    }

    @Test("best: the highest stands since it was first reached, whatever order it arrived in") func best() async throws
    {
        #expect(try await standing(.best, [(5, 0)]) == ["5 0"])
        #expect(try await standing(.best, [(5, 0), (4, 1), (5, 2), (3, 3)]) == ["5 0"])
        #expect(try await standing(.best, [(5, 0), (7, 1)]) == ["7 1"])
        #expect(try await standing(.best, [(5, 9), (7, 1)]) == ["7 1"], "a better one that is older")
        #expect(try await standing(.best, [(5, 9), (5, 1)]) == ["5 1"], "an equal one that is older")
        #expect(try await standing(.best, [(-5, 0), (-7, 1)]) == ["-5 0"])
    }

    @Test("best, lowest first: the same the other way round") func lowest() async throws {
        #expect(try await standing(.best, lowestFirst: true, [(5, 0), (6, 1), (4, 2), (4, 3)]) == ["4 2"])
        #expect(try await standing(.best, lowestFirst: true, [(5, 9), (4, 1), (4, 0)]) == ["4 0"])
        #expect(try await standing(.best, lowestFirst: true, [(-1, 0), (-2, 1), (0, 2)]) == ["-2 1"])
    }

    @Test("latest: the newest stands, also when it is worse; an older one that arrives later changes nothing")
    func latest() async throws {
        #expect(try await standing(.latest, [(5, 0), (3, 1)]) == ["3 1"])
        #expect(try await standing(.latest, [(5, 9), (7, 1)]) == ["5 9"])
        #expect(try await standing(.latest, [(5, 3), (5, 4)]) == ["5 4"], "reached when the latest post came")
        #expect(try await standing(.latest, [(5, 3), (7, 3), (6, 3)]) == ["7 3"], "of the same instant the better one")
        #expect(try await standing(.latest, lowestFirst: true, [(5, 3), (7, 3), (4, 3)]) == ["4 3"])
    }

    @Test("sum: all posts count, and it is reached when the last point came") func sum() async throws {
        #expect(try await standing(.sum, [(5, 0), (3, 1), (-2, 2)]) == ["6 2"])
        #expect(try await standing(.sum, [(5, 9), (3, 1)]) == ["8 9"], "an older one that arrives later")
        #expect(try await standing(.sum, [(5, 0), (0, 4)]) == ["5 4"])
    }

    @Test("a total as wide as 64 bits stands; one point more is out of bounds") func widest() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("sum") {
                $0.policy = .sum
                $0.bounds = -Int64.max...Int64.max
                $0.earning = .none
            }
            let ada = try await database.addPlayer("Ada")
            #expect(try await database.post(.max, by: ada, on: "sum").best == .max)
            #expect(try await database.post(1, by: ada, on: "sum").outcome == .outOfBounds)
            #expect(try await database.post(-.max, by: ada, on: "sum").best == 0)
            #expect(try await database.post(-.max, by: ada, on: "sum").best == -.max)
            #expect(try await database.post(-1, by: ada, on: "sum").outcome == .outOfBounds)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test(
        """
        equal points stand in the order they were reached, \
        then by player id; ranks say so in both ways of counting ties
        """) func ties() async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("first")
            try await database.addBoard("shared") { $0.ties = .shared }
            var players: [Player.ID] = []
            for name in ["a", "b", "c", "d", "e"] { players.append(try await database.addPlayer(name)) }
            players.sort()
            // These are points and seconds. The third player is best. The last is before the first two, which only
            // their ids tell apart.
            let posts: [(Int64, Int64)] = [(50, 7), (50, 7), (60, 9), (40, 0), (50, 1)]
            for name in ["first", "shared"] {
                for (player, post) in zip(players, posts) {
                    try await database.post(post.0, by: player, on: name, at: Instant.noon.advanced(bySeconds: post.1))
                }
            }
            let order = [2, 4, 0, 1, 3].map { players[$0] }
            for (name, ranks) in [("first", [1, 2, 3, 4, 5]), ("shared", [1, 2, 2, 2, 5])] {
                let board = try #require(try await database.store.findBoard(.of(name), in: .defaultGame, now: .noon))
                let today = board.today...board.today
                #expect(try await database.store.top(of: board, days: nil, limitRows: 9).map(\.player) == order)
                #expect(try await database.store.top(of: board, days: today, limitRows: 9).map(\.player) == order)
                #expect(
                    try await database.store.top(of: board, days: nil, limitRows: 2).map(\.player)
                        == Array(order.prefix(2)))
                for (player, rank) in zip(order, ranks) {
                    #expect(try await database.store.findRank(of: player, on: board) == Int64(rank))
                }
                #expect(try await database.store.findRank(of: Player.ID(rawValue: 1), on: board) == nil)
            }
        }
    }

    @Test(
        "a hidden player is in no top, no size and no other player's rank; what it donated still counts for the charity"
    ) func hidden() async throws {
        try await withTestDatabase { database in
            let donationBoard = try await database.addCharity("trees")
            let (ada, bob) = (
                try await database.addPlayer("Ada", points: 30), try await database.addPlayer("Bob", points: 20)
            )
            for player in [ada, bob] { try await database.donate(10, by: player, to: "trees") }
            let board = try #require(try await database.store.findBoard(.of("purse"), in: .defaultGame, now: .noon))
            #expect(try await database.store.findRank(of: bob, on: board) == 2)
            try await database.owner.script("update player set hidden = true where id = \(ada.rawValue)")
            #expect(try await database.store.findRank(of: bob, on: board) == 1)
            #expect(try await database.store.findProfile(ada, in: database.game.slug) == nil)
            for board in [board, donationBoard] {
                for days in [nil, board.today...board.today] {
                    #expect(try await database.store.top(of: board, days: days, limitRows: 9).map(\.player) == [bob])
                    #expect(try await database.store.size(of: board.id, days: days) == 1)
                }
            }
            #expect(try await database.store.bestPosts(of: board.id, limitRows: 9, now: .noon).map(\.name) == ["Bob"])
            #expect(try await database.store.charities(now: .noon).map(\.points) == [20])
        }
    }
}
