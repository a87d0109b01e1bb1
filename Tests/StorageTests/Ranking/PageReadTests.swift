import Domain
import TestDatabases
import Testing

@testable import Storage

@Suite struct PageReadTests {
    @Test("the newest donations come first, hidden players' not at all, and of an anonymous one nothing but its day")
    func newest() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees", zone: "Europe/Berlin")
            try await database.addCharity("wells")
            let (ada, bob, eve) = try await (
                database.addPlayer("Ada"), database.addPlayer("Bob"), database.addPlayer("Eve")
            )
            for player in [ada, bob, eve] { try await database.post(1_000, by: player, on: "high-scores") }
            try await database.donate(10, by: ada, to: "trees", at: .at("2026-11-20T12:00:00Z"))
            try await database.donate(20, by: bob, to: "trees", isAnonymous: true, at: .at("2026-11-20T13:00:00Z"))
            try await database.donate(30, by: eve, to: "trees", at: .at("2026-11-20T14:00:00Z"))
            try await database.donate(40, by: ada, to: "wells", at: .at("2026-11-20T15:00:00Z"))
            try await database.owner.script("update player set hidden = true where id = \(eve.rawValue)")

            let all = try await database.store.newestDonations(to: nil, limitRows: 50)
            #expect(all.map(\.points) == [40, 10, 20] && all.map(\.charity) == ["wells", "trees", "trees"])
            #expect(all.map(\.player) == [ada, ada, nil] && all.map(\.name) == ["Ada", "Ada", "Anonymous"])
            #expect(all[2].reachedAt == .at("2026-11-19T23:00:00Z"), "the beginning of its day in Berlin")
            #expect(all.map(\.day) == [nil, nil, Day(year: 2026, month: 11, day: 20)])
            #expect(try await database.store.newestDonations(to: .of("trees"), limitRows: 1).map(\.points) == [10])

            let growth = try await database.store.growth(of: .of("trees"), gamesMax: 5)
            #expect(growth.days.map(\.points) == [60])
            #expect(growth.games.map(\.game) == ["default"] && growth.games.map(\.points) == [40])
            let largest = try await database.store.findShown(try #require(growth.largest))
            #expect(largest == all[2])
        }
    }

    @Test("of charities with equal points the one that had them first comes first, and those without any come last")
    func equalCharities() async throws {
        try await withTestDatabase { database in
            for slug in ["empty", "late", "early"] { try await database.addCharity(slug) }
            let ada = try await database.addPlayer("Ada", points: 100)
            try await database.donate(5, by: ada, to: "late", at: Instant.noon.advanced(bySeconds: 2))
            try await database.donate(5, by: ada, to: "early", at: Instant.noon.advanced(bySeconds: 1))
            #expect(try await database.store.charities(now: .noon).map(\.slug) == ["early", "late", "empty"])
        }
    }

    @Test("players are found by their whole name in any case, those of the game that are not hidden") func named()
        async throws
    {
        try await withTestDatabase { database in
            let (ada, twin) = try await (database.addPlayer("Ada Ł"), database.addPlayer("ADA ł"))
            _ = try await database.addPlayer("ada ł")
            let other = try await database.addPlayer("Ada")
            let board = try #require(try await database.store.findBoard(.highScores, in: .defaultGame, now: .noon))
            for (player, points) in [(ada, 5), (twin, 7), (other, 9)] as [(Player.ID, Int64)] {
                try await database.post(points, by: player, on: "high-scores")
            }
            func found(_ name: String) async throws -> [Player.ID] {
                try await database.store.players(named: name, in: .defaultGame, on: board.id, limitRows: 20)
            }
            #expect(try await found("ada ł") == [twin, ada], "best first, and only who stands on the board")
            for other in ["ada%", "", "ada"] { #expect(Set(try await found(other)).isDisjoint(with: [ada, twin])) }
            try await database.owner.script("update player set hidden = true where id = \(twin.rawValue)")
            #expect(try await found("ada ł") == [ada])
            #expect(try await database.store.findGame(of: ada)?.slug == .defaultGame)
            #expect(try await database.store.findGame(of: twin) == nil)
        }
    }

    @Test("the list has games without boards, and boards that are played now") func listedGames() async throws {
        try await withTestDatabase { database in
            let store = database.store
            _ = try await store.admin.addGame(.of("maze"), name: .of("The Maze"), now: .noon)
            try await database.addBoard("lap")
            _ = try await store.resetBoard(.of("lap"), in: .defaultGame, now: .noon)
            let games = try await store.listedGames()
            #expect(games.map(\.name) == ["Default", "The Maze"])
            #expect(games[0].boards.map(\.slug) == [.highScores, .of("lap")] && games[1].boards == [])
        }
    }

    @Test("a board's display and unit are stored, changed, and kept by its next season") func display() async throws {
        try await withTestDatabase { database in
            let store = database.store
            let added = try await database.addBoard("lap") { board in
                board.display = .milliseconds
                board.unit = PointsUnit("laps")
            }
            #expect(added.display == PointsDisplay(.milliseconds, unit: "laps"))
            var change = BoardChange()
            change.display = .seconds
            change.unit = .clear
            #expect(try await store.admin.setBoard(.of("lap"), in: .defaultGame, change, now: .noon) == .set)
            _ = try await store.resetBoard(.of("lap"), in: .defaultGame, now: .noon)
            let next = try #require(try await store.findBoard(.of("lap"), in: .defaultGame, now: .noon))
            #expect(next.id != added.id && next.display == PointsDisplay(.seconds))
            #expect(PointsUnit("") == nil && PointsUnit(String(repeating: "x", count: 17)) == nil)
            #expect(PointsUnit("a\nb") == nil)
        }
    }
}
