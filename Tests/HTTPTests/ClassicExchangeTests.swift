import Credentials
import Domain
import Feeds
import Foundation
import HTTPServer
import HTTPTypes
import Leaderboard
import Logging
import Postgres
import Storage
import TestDatabases
import Testing

@testable import HTTP

@Suite struct ClassicExchangeTests {
    @Test("a customer registers, changes, and is shown") func customers() async throws {
        try await withExchange("customers") { exchange, _ in
            let made = try await exchange.send(
                .put, "/customers",
                """
                name=Tom & Jerry&phone=abc&email=tom@example.org&send_updates=YES\
                &image=\(try Self.avatar())&fb_uid=(null)
                """)
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

    @Test("a score is posted, posted again, and posted wrongly") func scores() async throws {
        try await withExchange("scores") { exchange, _ in
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

    @Test("points are donated, and no more than there are") func donations() async throws {
        try await withExchange("donations") { exchange, store in
            var charity = CharityChange()
            charity.name = DisplayName("Red Cross")
            #expect(
                try await store.admin.addCharity(try #require(Slug("red-cross")), charity, now: Exchange.start)
                    == .added)
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
            charity.closesAt = .set(Exchange.start)
            #expect(try await store.admin.setCharity(try #require(Slug("red-cross")), charity, now: .noon) == .set)
            try await exchange.send(.put, "/donations", "phone=abc&donated_points=1&charity=red-cross")
            for format in FeedFormat.allCases where format != .html {
                try await exchange.send(.get, "/TopScores.\(format.suffix)?charity=red-cross")
            }
        }
    }

    @Test("a post with a token needs no registration, and shows in the plist") func highScores() async throws {
        try await withExchange("high_scores") { exchange, store in
            func body(_ token: String, name: String = "player X") -> String {
                """
                high_score[auth_token]=\(token)&high_score[player_name]=\(name)\
                &high_score[total_score]=50&high_score[iphone_udid]=2bef0b11cff51cbb2e0730235f5664094b83b487
                """
            }
            // The token of Tests/Golden/hs_post_ok_upper_token.req.
            let good = "E1110D526E1C6C806937370DCB49C37D"
            try await exchange.send(.post, "/high_scores", body(good))
            #expect(
                try await store.admin.setGame(
                    .defaultGame, name: nil, classic: .token, salt: .set("999888999"), now: .noon) == .set)
            try await exchange.send(.post, "/high_scores", body(good))
            try await exchange.send(.post, "/high_scores.xml", body(good.lowercased(), name: "player Y"))
            try await exchange.send(.post, "/high_scores", body("00000000000000000000000000000000"))
            try await exchange.send(.post, "/high_scores", body(good, name: "\u{7}"))
            try await exchange.send(.get, "/high_scores.xml")
            try await exchange.send(.get, "/high_scores.json")
            try await exchange.send(.put, "/scores", "phone=2bef0b11cff51cbb2e0730235f5664094b83b487&points=1")
        }
    }

    @Test("boards that do not trust unsigned posts take none of this protocol, not even what they have") func trust()
        async throws
    {
        try await withExchange("trust") { exchange, store in
            func set(_ trust: Board.Trust) async throws {
                var change = BoardChange()
                change.trust = trust
                #expect(try await store.admin.setBoard(.highScores, in: .defaultGame, change, now: .noon) == .set)
            }
            // The token of Tests/Golden/hs_post_ok_upper_token.req.
            let signed = """
                high_score[auth_token]=E1110D526E1C6C806937370DCB49C37D&high_score[player_name]=player X\
                &high_score[total_score]=50&high_score[iphone_udid]=2bef0b11cff51cbb2e0730235f5664094b83b487
                """
            #expect(
                try await store.admin.setGame(
                    .defaultGame, name: nil, classic: .open, salt: .set("999888999"), now: .noon) == .set)
            let post = "phone=abc&points=100&id=0B6ED5A8-6A2C-4A44-9C5F-7F8A1D4F1F0E"
            try await exchange.send(.put, "/customers", "name=Tom&phone=abc")
            try await exchange.send(.put, "/scores", post)
            for trust in [Board.Trust.signed, .server] {
                try await set(trust)
                try await exchange.send(.put, "/scores", post)
                try await exchange.send(.post, "/scores.json", "phone=abc&points=7")
                try await exchange.send(.post, "/high_scores", signed)
            }
            try await set(.open)
            try await exchange.send(.put, "/scores", post)
            try await exchange.send(.post, "/high_scores", signed)
            try await set(.signed)
            try await exchange.send(.post, "/high_scores", signed)
        }
    }

    @Test("what cannot be done says why") func refusals() async throws {
        try await withExchange("refusals") { exchange, _ in
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

    @Test("an unchanged feed is not sent again, a HEAD has no body, gzip has a tag of its own") func conditional()
        async throws
    {
        try await withExchange("conditional") { exchange, _ in
            let plain = try await exchange.send(.get, "/TopScores.xml")
            let tag = try #require(plain.headers[.eTag])
            try await exchange.send(.get, "/TopScores.xml", "", [.ifNoneMatch: tag])
            try await exchange.send(.get, "/TopScores.xml", "", [.ifNoneMatch: "\"x\", W/\(tag)"])
            try await exchange.send(.head, "/TopScores.xml")
            let zipped = try await exchange.send(.get, "/TopScores.xml", "", [.acceptEncoding: "gzip"])
            #expect(zipped.headers[.eTag] != tag)
            #expect(
                try await exchange.send(.get, "/TopScores.xml", "", [.acceptEncoding: "gzip", .ifNoneMatch: tag]).status
                    == .ok)
        }
    }

    @Test("while the database is away, whoever comes is told when to come again") func away() async throws {
        let responder = try Exchange.responderWithoutDatabase()
        await responder.operations.readiness.check()
        try await Exchange.run(responder) { exchange in
            try await exchange.send(.get, "/TopScores.json")
            try await exchange.send(.put, "/scores", "phone=abc&points=1")
            try await exchange.send(.get, "/readyz")
            try await exchange.send(.get, "/healthz")
            try exchange.matches("away")
        }
    }

    private static func avatar() throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Golden/avatar40.png")
        return try Data(contentsOf: file).base64EncodedString()
    }
}
