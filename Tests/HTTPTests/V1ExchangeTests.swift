import Credentials
import Domain
import HTTPServer
import HTTPTypes
import NIOCore
import Storage
import TestDatabases
import Testing

@testable import HTTP

@Suite struct V1ExchangeTests {
    @Test("v1: a device registers under its own token, posts, donates and reads") func v1Player() async throws {
        try await withExchange("v1_player") { exchange, store in
            try await Self.addMaze(store)
            let (ada, bob) = (Self.bearer("A"), Self.bearer("B"))
            try await exchange.send(.put, "/v1/games/maze/devices/dev-1", #"{"name":"Ada"}"#)
            try await exchange.send(
                .put, "/v1/games/maze/devices/dev-2", #"{"name":"Bea","country":"nz","send_updates":true}"#, ada)
            try await exchange.send(.put, "/v1/games/maze/devices/dev-2", "{}", ada)
            try await exchange.send(.put, "/v1/games/maze/devices/dev-2", "{}", bob)
            try await exchange.send(.put, "/v1/games/maze/devices/dev-3", "name=Bob", bob)
            let score = "/v1/games/maze/boards/lap/scores/0B6ED5A8-6A2C-4A44-9C5F-7F8A1D4F1F0E"
            let body = #"{"points": 61.0, "played_at": "2009-09-12T09:59:00+02:00", "detail": {"level": [1, "two"]}}"#
            try await exchange.send(.put, score, body, ada)
            try await exchange.send(.put, score, body, ada)
            try await exchange.send(.put, score, #"{"points": 60}"#, ada)
            try await exchange.send(.get, score, "", ada)
            try await exchange.send(.get, score, "", bob)
            try await exchange.send(.put, score, #"{"points": "59"}"#, bob)
            try await exchange.send(.get, "/v1/games/maze/boards/lap/players/me", "", ada)
            try await exchange.send(.get, "/v1/games/maze/boards/lap/players/me/around.csv", "", ada)
            try await exchange.send(.get, "/v1/games/maze/boards/lap/rank?points=60")
            let page = try await exchange.send(.get, "/v1/games/maze/boards/lap/top?limit=1")
            let next = try #require(
                String(buffer: page.body).split(separator: "\"next\":\"").last?.prefix { $0 != "\"" })
            try await exchange.send(.get, "/v1/games/maze/boards/lap/top.json?limit=1&after=\(next)")
            try await exchange.send(.get, "/v1/games/maze/boards/solo/top.json?after=\(next)")
            let donation = "/v1/charities/trees/donations/0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e"
            try await exchange.send(.put, donation, #"{"points": 6}"#, ada)
            try await exchange.send(.put, donation, #"{"points": 4, "anonymous": true}"#, ada)
            try await exchange.send(.get, donation, "", ada)
            try await exchange.send(.get, "/v1/charities/trees/top.json")
            try await exchange.send(.get, "/v1/charities/trees")
            try await exchange.send(.get, "/v1/players/me", "", ada)
            try await exchange.send(.patch, "/v1/players/me", #"{"name":"Bea B.","country":null}"#, ada)
            try await exchange.send(.get, "/v1/players/me/scores", "", ada)
            try await exchange.send(.get, "/v1/players/me/donations", "", ada)
        }
    }

    @Test("v1: a board with public details shows what came with each score") func v1Details() async throws {
        try await withExchange("v1_details") { exchange, store in
            try await Self.addMaze(store)
            var change = BoardChange()
            change.details = .public
            let (maze, lap) = (try #require(Slug("maze")), try #require(Slug("lap")))
            #expect(try await store.admin.setBoard(lap, in: maze, change, now: Exchange.start) == .set)
            let (ada, bob) = (Self.bearer("A"), Self.bearer("B"))
            try await exchange.send(.put, "/v1/games/maze/devices/dev-1", #"{"name":"Ada"}"#, ada)
            try await exchange.send(.put, "/v1/games/maze/devices/dev-2", #"{"name":"Bob"}"#, bob)
            let scores = "/v1/games/maze/boards/lap/scores/0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0"
            let body = #"{"points": 61, "detail": {"car": "<red>", "laps": [1, 2.5]}}"#
            try await exchange.send(.put, scores + "e", body, ada)
            try await exchange.send(.put, scores + "f", #"{"points": 70}"#, bob)
            for suffix in ["json", "xml", "plist", "csv", "atom", "html"] {
                try await exchange.send(.get, "/v1/games/maze/boards/lap/top.\(suffix)")
            }
            try await exchange.send(.get, "/v1/games/maze/boards/lap/players/me/around", "", ada)
            // A score that counts no more shows nothing.
            try await exchange.send(.put, scores + "d", #"{"points": 50, "detail": "faster"}"#, ada)
            try await exchange.send(.get, "/v1/games/maze/boards/lap/top.csv")
        }
    }

    @Test("v1: a donation turns anonymous, is taken back, or is more than its charity takes") func v1DonationChanges()
        async throws
    {
        try await withExchange("v1_donation_changes") { exchange, store in
            try await Self.addMaze(store)
            let trees = try #require(Slug("trees"))
            let ada = Self.bearer("A")
            try await exchange.send(.put, "/v1/games/maze/devices/dev-1", #"{"name":"Ada"}"#, ada)
            let score = "/v1/games/maze/boards/lap/scores/0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e"
            try await exchange.send(.put, score, #"{"points": 61}"#, ada)
            let first = "/v1/charities/trees/donations/0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e"
            let second = "/v1/charities/trees/donations/0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0f"
            try await exchange.send(.put, first, #"{"points": 4}"#, ada)
            try await exchange.send(.delete, first, "", ada)
            var change = CharityChange()
            change.coolingOffMinutes = 60
            (change.capOfDay, change.capInAll) = (.set(6), .set(9))
            #expect(try await store.admin.setCharity(trees, change, now: Exchange.start) == .set)
            try await exchange.send(.get, "/v1/charities/trees")
            try await exchange.send(.put, second, #"{"points": 3}"#, ada)
            try await exchange.send(.put, second, #"{"points": 6}"#, ada)
            try await exchange.send(.patch, first, #"{"anonymous": false}"#, ada)
            try await exchange.send(.patch, first, #"{"anonymous": true}"#, ada)
            try await exchange.send(.patch, first, #"{"anonymous": true}"#, ada)
            try await exchange.send(.patch, second, #"{"anonymous": true}"#, ada)
            try await exchange.send(.put, first, #"{"points": 4}"#, ada)
            try await exchange.send(.get, "/v1/charities/trees/top.json")
            try await exchange.send(.delete, first, "", ada)
            try await exchange.send(.delete, first, "", ada)
            try await exchange.send(.get, "/v1/charities/trees/top.json")
        }
    }

    @Test("v1: a game speaks for its players with its key") func v1Game() async throws {
        try await withExchange("v1_game") { exchange, store in
            try await Self.addMaze(store)
            let key = try #require(Token(Self.token("cbk_", "K")))
            #expect(
                try await store.admin.addKey(
                    key.hash, name: try #require(DisplayName("arena")), to: try #require(Slug("maze")),
                    now: Exchange.start
                ).0 == .added)
            let bearer = Self.bearer("K", "cbk_")
            try await exchange.send(.put, "/v1/games/maze/players/u-7", #"{"name":"Cid"}"#, bearer)
            try await exchange.send(.put, "/v1/games/maze/players/u-7", "{}", bearer)
            try await exchange.send(.put, "/v1/games/default/players/u-7", #"{"name":"Cid"}"#, bearer)
            try await exchange.send(.put, "/v1/games/maze/players/u-7", #"{"name":"Cid"}"#, Self.bearer("L", "cbk_"))
            let score = "/v1/games/maze/boards/solo/scores/0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e"
            try await exchange.send(.put, score, #"{"points": 7, "external": "u-7"}"#, bearer)
            try await exchange.send(.put, score, #"{"points": 7, "external": "u-8"}"#, bearer)
            try await exchange.send(.put, score, #"{"points": 7}"#, bearer)
            try await exchange.send(.get, "\(score)?external=u-7", "", bearer)
            try await exchange.send(.get, "\(score)?player=4711", "", bearer)
            try await exchange.send(.get, "/v1/games/maze")
            try await exchange.send(.get, "/v1/games/maze/boards/lap")
            let season = try await store.resetBoard(
                try #require(Slug("solo")), in: try #require(Slug("maze")), now: Exchange.start)
            #expect(season == 2)
            try await exchange.send(.put, score, #"{"points": 7, "external": "u-7"}"#, bearer)
            try await exchange.send(.get, "/v1/games/maze/boards/solo/top.json")
            try await exchange.send(.get, "/v1/games/maze/boards/solo/top.json?season=1")
        }
    }

    @Test("v1: what cannot be done says why, and where") func v1Refusals() async throws {
        try await withExchange("v1_refusals") { exchange, store in
            try await Self.addMaze(store)
            let ada = Self.bearer("A")
            try await exchange.send(.put, "/v1/games/maze/devices/dev-1", #"{"name":"Ada"}"#, ada)
            let score = "/v1/games/maze/boards/solo/scores/0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e"
            for body in [
                "{\"points\": 5,}", "{\"points\"", #"{"points": 5.5}"#, #"{"points": 9223372036854775808}"#,
                #"{"points": true}"#, "{}", #"{"points": 5, "played_at": "yesterday"}"#, #"{"points": 5, "player": 7}"#,
                #"{"points": 5, "external": "u"}"#,
            ] { try await exchange.send(.put, score, body, ada) }
            try await exchange.send(.put, score, "<points>5</points>", ada.with(.contentType, "application/xml"))
            try await exchange.send(.put, score, #"{"points": 5}"#)
            try await exchange.send(.put, score, #"{"points": 5}"#, [.authorization: "Basic QTpC"])
            try await exchange.send(.put, "/v1/games/maze/boards/solo/scores/7", #"{"points": 5}"#, ada)
            try await exchange.send(
                .put, "/v1/games/maze/boards/none/scores/0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e", #"{"points": 5}"#, ada)
            try await exchange.send(
                .put, "/v1/games/default/boards/high-scores/scores/0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e",
                #"{"points": 5}"#, ada)
            try await exchange.send(
                .put, "/v1/charities/none/donations/0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e", #"{"points": 5}"#, ada)
            try await exchange.send(
                .put, "/v1/charities/trees/donations/0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e", #"{"points": 5}"#, ada)
            try await exchange.send(.put, "/v1/games/none/devices/dev-1", #"{"name":"Ada"}"#, ada)
            try await exchange.send(.put, "/v1/games/maze/devices/a%20b", #"{"name":"Ada"}"#, ada)
            try await exchange.send(.get, "/v1/players/7")
            try await exchange.send(.get, "/v1/games/maze/boards/solo/players/7")
            try await exchange.send(.get, "/v1/games/maze/boards/solo/players/me")
            try await exchange.send(.get, "/v1/games/maze/boards/solo/rank")
            try await exchange.send(.get, "/v1/games/maze/boards/lap/rank?points=-1")
            try await exchange.send(.get, "/v1/games/maze/boards/solo/top.json?season=9")
            try await exchange.send(.get, "/v1/games/maze/boards/solo/top.json?from=0")
            try await exchange.send(.get, "/v1/games/maze/boards/solo/top.json?from=2&after=x")
            try await exchange.send(.get, "/v1/games/maze/boards/solo/top.json?players=1,x")
            try await exchange.send(.delete, "/v1/players/me")
            try await exchange.send(.options, "/v1/players/me")
        }
    }

    /// The game `maze` with a board of each kind of order, and a charity.
    private static func addMaze(_ store: Store) async throws {
        let (maze, solo, lap) = (try #require(Slug("maze")), try #require(Slug("solo")), try #require(Slug("lap")))
        let name = try #require(DisplayName("Maze"))
        #expect(try await store.admin.addGame(maze, name: name, now: Exchange.start) == .added)
        for (slug, lowestFirst) in [(solo, false), (lap, true)] {
            var board = NewBoard(slug, in: maze)
            (board.name, board.lowestFirst, board.bounds) = (name, lowestFirst, 0...1_000)
            (board.zone, board.ties, board.earning) = ("Europe/Berlin", lowestFirst ? .shared : .first, .fixed(10))
            #expect(try await store.admin.addBoard(board, now: Exchange.start) == .added)
        }
        var charity = CharityChange()
        charity.name = DisplayName("Trees")
        charity.goal = .set(100)
        #expect(try await store.admin.addCharity(try #require(Slug("trees")), charity, now: Exchange.start) == .added)
    }

    /// The text of a token with the bits of 42 equal letters. The last letter is an A, so that the unused last bits are
    /// zero.
    private static func token(_ prefix: String, _ letter: Character) -> String {
        prefix + String(repeating: letter, count: 42) + "A"
    }

    private static func bearer(_ letter: Character, _ prefix: String = "cbd_") -> HTTPFields {
        [.authorization: "Bearer \(token(prefix, letter))"]
    }
}

extension HTTPFields {
    /// The fields with one more.
    fileprivate func with(_ name: HTTPField.Name, _ value: String) -> HTTPFields {
        var fields = self
        fields[name] = value
        return fields
    }
}
