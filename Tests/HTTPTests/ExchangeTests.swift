import Credentials
import Domain
import Feeds
import Foundation
@testable import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Leaderboard
import Logging
import Postgres
import Storage
import Synchronization
import TestDatabases
import Testing

@Suite struct ExchangeTests {
    @Test("a customer registers, changes, and is shown")
    func customers() async throws {
        try await exchange("customers") { exchange, _ in
            let made = try await exchange.send(
                .put,
                "/customers",
                "name=Tom & Jerry&phone=abc&email=tom@example.org&send_updates=YES&image=\(try Self.avatar())&fb_uid=(null)"
            )
            let path = try #require(made.headers[.location])
            try await exchange.send(.put, "/customers", "name=Tom&phone=abc")
            try await exchange.send(.get, path)
            try await exchange.send(.get, "\(path).json")
            try await exchange.send(.put, path, "phone=abc&send_updates=no&image=")
            try await exchange.send(.get, path)
            try await exchange.send(.put, path, "phone=other&name=Eve")
            try await exchange.send(.put, "/customers/1", "phone=abc&name=Eve")
            try await exchange.send(.post, "/customers.json", "name=Ann&phone=def")
        }
    }

    @Test("a score is posted, posted again, and posted wrongly")
    func scores() async throws {
        try await exchange("scores") { exchange, _ in
            try await exchange.send(.put, "/scores", "phone=abc&points=1")
            try await exchange.send(.put, "/customers", "name=Tom&phone=abc")
            let id = "0B6ED5A8-6A2C-4A44-9C5F-7F8A1D4F1F0E"
            try await exchange.send(.put, "/scores", "phone=abc&points=100&id=\(id)")
            try await exchange.send(.put, "/scores", "phone=abc&points=100&id=\(id)")
            try await exchange.send(.put, "/scores", "phone=abc&points=101&id=\(id)")
            try await exchange.send(.put, "/scores.json", "phone=abc&points=50")
            try await exchange.send(.put, "/scores", "phone=abc&points=50")
            for points in ["0", "-1", "9223372036854775808", "1.5", "", "(null)"] {
                try await exchange.send(.put, "/scores", "phone=abc&points=\(points)")
            }
            try await exchange.send(.put, "/scores", "phone=abc&points=5&board=nowhere")
            try await exchange.send(.put, "/scores", "phone=abc&points=5&id=7")
            try await exchange.send(.put, "/scores", "phone=abc&points=9223372036854775807")
        }
    }

    @Test("points are given, and no more than there are")
    func donations() async throws {
        try await exchange("donations") { exchange, store in
            var charity = CharityChange()
            charity.name = DisplayName("Red Cross")
            #expect(
                try await store.addCharity(try #require(Slug("red-cross")), charity, zone: "UTC", now: Self.start)
                    == .added
            )
            try await exchange.send(.put, "/customers", "name=Tom&phone=abc")
            try await exchange.send(.put, "/scores", "phone=abc&points=100")
            try await exchange.send(.put, "/donations", "phone=abc&donated_points=60&charity=red  CROSS")
            try await exchange.send(.put, "/donations", "phone=abc&donated_points=60&charity=red-cross")
            try await exchange.send(.put, "/donations", "phone=abc&donated_points=41&charity=red-cross")
            try await exchange.send(.put, "/donations.json", "phone=abc&donated_points=41&charity=red-cross")
            try await exchange.send(.put, "/donations", "phone=abc&donated_points=0&charity=red-cross")
            try await exchange.send(.put, "/donations", "phone=abc&donated_points=1&charity=nobody")
            try await exchange.send(.put, "/donations", "phone=nobody&donated_points=1&charity=red-cross")
            try await exchange.send(.get, "/v1/charities.json")
            charity.closesAt = .set(Self.start)
            #expect(try await store.setCharity(try #require(Slug("red-cross")), charity) == .set)
            try await exchange.send(.put, "/donations", "phone=abc&donated_points=1&charity=red-cross")
            for format in FeedFormat.allCases where format != .html {
                try await exchange.send(.get, "/TopScores.\(format.suffix)?charity=red-cross")
            }
        }
    }

    @Test("a post with a token needs no registration, and shows in the plist")
    func highScores() async throws {
        try await exchange("high_scores") { exchange, store in
            func body(_ token: String, name: String = "player X") -> String {
                "high_score[auth_token]=\(token)&high_score[player_name]=\(name)&high_score[total_score]=50&high_score[iphone_udid]=2bef0b11cff51cbb2e0730235f5664094b83b487"
            }
            let good = "E1110D526E1C6C806937370DCB49C37D"  // of Tests/Golden/hs_post_ok_upper_token.req
            try await exchange.send(.post, "/high_scores", body(good))
            #expect(try await store.setGame(.defaultGame, name: nil, classic: .token, salt: .set("999888999")) == .set)
            try await exchange.send(.post, "/high_scores", body(good))
            try await exchange.send(.post, "/high_scores.xml", body(good.lowercased(), name: "player Y"))
            try await exchange.send(.post, "/high_scores", body("00000000000000000000000000000000"))
            try await exchange.send(.post, "/high_scores", body(good, name: "\u{7}"))
            try await exchange.send(.get, "/high_scores.xml")
            try await exchange.send(.get, "/high_scores.json")
            try await exchange.send(.put, "/scores", "phone=2bef0b11cff51cbb2e0730235f5664094b83b487&points=1")
        }
    }

    @Test("v1: a device registers under its own token, posts, gives and reads")
    func v1Player() async throws {
        try await exchange("v1_player") { exchange, store in
            try await Self.addMaze(store)
            let (ada, bob) = (Self.bearer("A"), Self.bearer("B"))
            try await exchange.send(.put, "/v1/games/maze/devices/dev-1", #"{"name":"Ada"}"#)
            try await exchange.send(
                .put,
                "/v1/games/maze/devices/dev-2",
                #"{"name":"Bea","country":"nz","send_updates":true}"#,
                ada
            )
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
                String(buffer: page.body).split(separator: "\"next\":\"").last?.prefix { $0 != "\"" }
            )
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

    @Test("v1: a game speaks for its players with its key")
    func v1Game() async throws {
        try await exchange("v1_game") { exchange, store in
            try await Self.addMaze(store)
            let key = try #require(Token(Self.token("cbk_", "K")))
            #expect(
                try await store.addKey(
                    key.hash,
                    name: try #require(DisplayName("arena")),
                    to: try #require(Slug("maze")),
                    now: Self.start
                )
                .0 == .added
            )
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
            let (outcome, season) = try await store.resetBoard(
                try #require(Slug("solo")),
                in: try #require(Slug("maze")),
                now: Self.start
            )
            #expect(outcome == .set && season == 2)
            try await exchange.send(.put, score, #"{"points": 7, "external": "u-7"}"#, bearer)
            try await exchange.send(.get, "/v1/games/maze/boards/solo/top.json")
            try await exchange.send(.get, "/v1/games/maze/boards/solo/top.json?season=1")
        }
    }

    @Test("v1: what cannot be done says why, and where")
    func v1Refusals() async throws {
        try await exchange("v1_refusals") { exchange, store in
            try await Self.addMaze(store)
            let ada = Self.bearer("A")
            try await exchange.send(.put, "/v1/games/maze/devices/dev-1", #"{"name":"Ada"}"#, ada)
            let score = "/v1/games/maze/boards/solo/scores/0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e"
            for body in [
                "{\"points\": 5,}", "{\"points\"", #"{"points": 5.5}"#, #"{"points": 9223372036854775808}"#,
                #"{"points": true}"#, "{}",
                #"{"points": 5, "played_at": "yesterday"}"#, #"{"points": 5, "player": 7}"#,
                #"{"points": 5, "external": "u"}"#,
            ] { try await exchange.send(.put, score, body, ada) }
            try await exchange.send(.put, score, "<points>5</points>", ada.with(.contentType, "application/xml"))
            try await exchange.send(.put, score, #"{"points": 5}"#)
            try await exchange.send(.put, score, #"{"points": 5}"#, [.authorization: "Basic QTpC"])
            try await exchange.send(.put, "/v1/games/maze/boards/solo/scores/7", #"{"points": 5}"#, ada)
            try await exchange.send(
                .put,
                "/v1/games/maze/boards/none/scores/0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e",
                #"{"points": 5}"#,
                ada
            )
            try await exchange.send(
                .put,
                "/v1/games/default/boards/high-scores/scores/0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e",
                #"{"points": 5}"#,
                ada
            )
            try await exchange.send(
                .put,
                "/v1/charities/none/donations/0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e",
                #"{"points": 5}"#,
                ada
            )
            try await exchange.send(
                .put,
                "/v1/charities/trees/donations/0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e",
                #"{"points": 5}"#,
                ada
            )
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
        #expect(try await store.addGame(maze, name: name, classic: .off, salt: nil, now: start) == .added)
        for (slug, lowestFirst) in [(solo, false), (lap, true)] {
            let board = NewBoard(
                game: maze,
                slug: slug,
                name: name,
                policy: .best,
                lowestFirst: lowestFirst,
                bounds: 0...1_000,
                zone: "Europe/Berlin",
                ties: lowestFirst ? .shared : .first,
                earning: .fixed(10),
                earnMax: nil,
                earnDay: nil,
                opensAt: nil,
                closesAt: nil
            )
            #expect(try await store.addBoard(board, now: start) == .added)
        }
        var charity = CharityChange()
        charity.name = DisplayName("Trees")
        charity.goal = .set(100)
        #expect(try await store.addCharity(try #require(Slug("trees")), charity, zone: "UTC", now: start) == .added)
    }

    /// The text of a token with the bits of 42 equal letters. The last letter is an A, so that the unused last bits are
    /// zero.
    private static func token(_ prefix: String, _ letter: Character) -> String {
        prefix + String(repeating: letter, count: 42) + "A"
    }

    private static func bearer(_ letter: Character, _ prefix: String = "cbd_") -> HTTPFields {
        [.authorization: "Bearer \(token(prefix, letter))"]
    }

    @Test("what cannot be done says why")
    func refusals() async throws {
        try await exchange("refusals") { exchange, _ in
            try await exchange.send(.get, "/nowhere")
            try await exchange.send(.get, "/v1/nowhere")
            try await exchange.send(.delete, "/scores")
            try await exchange.send(.post, "/TopScores.json")
            try await exchange.send(.options, "/TopScores.xml")
            try await exchange.send(.get, "/TopScores", "", [.accept: "image/png"])
            try await exchange.send(.get, "/TopScores.json?limit=51")
            try await exchange.send(.get, "/TopScores.xml?window=soon")
            try await exchange.send(.get, "/TopScores.json?charity=nobody")
            try await exchange.send(.get, "/v1/games/default/boards/nowhere/top.json")
            try await exchange.send(.get, "/v1/avatars/\(String(repeating: "00", count: 32)).png")
            try await exchange.send(.put, "/customers", "{}", [.contentType: "application/json"])
            try await exchange.send(.put, "/customers", "name=Anonymous&phone=abc")
            try await exchange.send(.put, "/customers", "name=a%00b&phone=abc")
            try await exchange.send(.put, "/customers", "name=a&phone=abc&image=AAAA")
            try await exchange.send(.put, "/customers", "phone=abc")
        }
    }

    @Test("an unchanged feed is not sent again, a HEAD has no body, gzip has a tag of its own")
    func conditional() async throws {
        try await exchange("conditional") { exchange, _ in
            let plain = try await exchange.send(.get, "/TopScores.xml")
            let tag = try #require(plain.headers[.eTag])
            try await exchange.send(.get, "/TopScores.xml", "", [.ifNoneMatch: tag])
            try await exchange.send(.get, "/TopScores.xml", "", [.ifNoneMatch: "\"x\", W/\(tag)"])
            try await exchange.send(.head, "/TopScores.xml")
            let zipped = try await exchange.send(.get, "/TopScores.xml", "", [.acceptEncoding: "gzip"])
            #expect(zipped.headers[.eTag] != tag)
            #expect(
                try await exchange.send(.get, "/TopScores.xml", "", [.acceptEncoding: "gzip", .ifNoneMatch: tag]).status
                    == .ok
            )
        }
    }

    @Test("while the database is away, whoever comes is told when to come again")
    func away() async throws {
        let nowhere = ConnectionSettings(conninfo: "host=/nowhere", connectTimeout: .seconds(5))
        let pool = Pool(nowhere, limits: PoolLimits(connectionsMax: 1), logger: .none)
        let responder = Self.responder(
            Store(general: pool, ledger: pool, logger: .none),
            try #require(Secret(hex: Secret.generated()))
        )
        let application = Application(
            responder: ResponderInRouter(responder: responder),
            services: [responder.writeBatcher]
        )
        try await application.test(.router) { client in
            var exchange = Exchange(client)
            try await exchange.send(.get, "/TopScores.json")
            try await exchange.send(.put, "/scores", "phone=abc&points=1")
            try await exchange.send(.get, "/readyz")
            try await exchange.send(.get, "/healthz")
            try exchange.matches("away")
        }
    }

    /// Runs the exchange against a database of its own. The clock advances by a second with each look at it.
    private func exchange(_ name: String, _ body: @escaping @Sendable (inout Exchange, Store) async throws -> Void)
        async throws
    {
        try await withTestDatabase { database in
            let responder = Self.responder(database.store, database.secret)
            let application = Application(
                responder: ResponderInRouter(responder: responder),
                services: [responder.writeBatcher]
            )
            try await application.test(.router) { client in
                var exchange = Exchange(client)
                try await body(&exchange, database.store)
                try exchange.matches(name)
            }
        }
    }

    private static func responder(_ store: Store, _ secret: Secret) -> Responder {
        let ticks = Mutex<Int64>(0)
        let clock = ServerClock {
            ticks.withLock { seconds in
                seconds += 1
                return start.advanced(bySeconds: seconds)
            }
        }
        let memory = LeaderboardMemory(store: store)
        let writeBatcher = WriteBatcher(store: store, clock: clock, memory: memory, workersCount: 2)
        return Responder(
            store: store,
            writeBatcher: writeBatcher,
            rankings: Rankings(store: store, clock: clock, memory: memory),
            health: { Health(standings: memory.standings, writeBatcher: writeBatcher, lag: nil) },
            secret: secret,
            clock: clock,
            links: FeedLinks(),
            logger: .none
        )
    }

    private static let start = Instant(microsecondsSince1970: 1_252_749_600_000_000)  // 2009-09-12T10:00:00Z

    private static func avatar() throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Golden/avatar40.png"
        )
        return try Data(contentsOf: file).base64EncodedString()
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
