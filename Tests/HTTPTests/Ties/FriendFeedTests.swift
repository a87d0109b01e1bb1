import Credentials
import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1
import Storage
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

/// Rankings among friends, as bytes.
@Suite struct FriendFeedTests {
    private static let board = "/v1/games/maze/boards/lap/players/me/friends"

    private static func post(_ points: Int64, by person: FriendServer.Person, _ server: FriendServer) async throws {
        let id = "5f0c1d2e-0000-4000-8000-00000000\(String(1_000 + points))"
        let posted = await server.send(
            .put, "/v1/games/maze/boards/lap/scores/\(id)", #"{"points":\#(points)}"#, by: person.token)
        #expect(posted.status == .created, "\(posted.text)")
    }

    @Test("the feed has the rank of the board and the place among friends, in every format") func formats() async throws
    {
        try await FriendServer.with { server in
            let (ada, bob, eve) = (
                try await server.person("Ada"), try await server.person("Bob"), try await server.person("Eve")
            )
            await server.befriend(ada, bob)
            for (points, person) in [(Int64(10), ada), (30, bob), (20, eve)] {
                try await Self.post(points, by: person, server)
            }
            let json = await server.send(.get, Self.board + ".json", by: ada.token)
            let at = #""reached_at":"…""#
            #expect(
                json.text.replacing(/2026-11-20T12:00:00.00000\dZ/, with: "…")
                    == #"{"board":"lap","window":"all","zone":"UTC","final":false,"ties":"first","among":"friends","of":2,"#
                    + #""rows":[{"rank":1,"among":1,"tied":false,"player":\#(bob.id),"name":"Bob","points":30,\#(at)},"#
                    + #"{"rank":3,"among":2,"tied":false,"player":\#(ada.id),"name":"Ada","points":10,\#(at)}]}"#)
            #expect(json.headers[.cacheControl] == "private, no-store")
            let csv = await server.send(.get, Self.board + ".csv?from=2&limit=1", by: ada.token)
            #expect(csv.text.hasPrefix("rank,among,tied,player,name,points,reached_at,avatar"))
            #expect(csv.text.contains("3,2,false,\(ada.id),Ada,10,2026-11-20T12:00:00.000000Z,"))
            for format in ["xml", "plist", "atom", "html"] {
                let feed = await server.send(.get, Self.board + ".\(format)", by: ada.token)
                #expect(feed.status == .ok && feed.text.contains("Bob") && !feed.text.contains("Eve"), "\(format)")
            }
            let etag = try #require(json.headers[.eTag])
            let again = await server.responder.respond(
                to: Request(
                    method: .get, target: Self.board + ".json",
                    headers: RequestHeaders(["authorization": "Bearer \(ada.token.text)", "if-none-match": "\(etag)"]),
                    body: .init()))
            #expect(again.status == .notModified)
            // A stranger sees itself alone.
            #expect(await server.send(.get, Self.board + ".json", by: eve.token).text.contains(#""of":1,"#))
        }
    }

    @Test("who ends or blocks is gone from the feed at once") func ending() async throws {
        try await FriendServer.with { server in
            let (ada, bob) = (try await server.person("Ada"), try await server.person("Bob"))
            for (points, person) in [(Int64(10), ada), (30, bob)] { try await Self.post(points, by: person, server) }
            for (method, path) in [(HTTPRequest.Method.delete, "friends/\(ada.id)"), (.put, "blocks/\(ada.id)")] {
                _ = await server.send(.put, "friends/\(bob.id)", by: ada)
                _ = await server.send(.put, "friends/\(ada.id)", by: bob)
                #expect(await server.send(.get, Self.board + ".json", by: ada.token).text.contains(#""of":2,"#))
                #expect(await server.send(method, path, by: bob).status == .noContent)
                for person in [ada, bob] {
                    #expect(await server.send(.get, Self.board + ".json", by: person.token).text.contains(#""of":1,"#))
                }
            }
        }
    }

    @Test("the feed is a player's own, of its game, where that has friends") func callers() async throws {
        try await FriendServer.with { server in
            let ada = try await server.person("Ada")
            _ = try await server.database.addGame("other")
            try await server.database.addBoard("lap", in: .of("other"))
            try await server.database.addCharity("trees")
            for (path, status) in [
                (Self.board, 200), ("/v1/charities/trees/players/me/friends", 200),
                ("/v1/contributors/players/me/friends.json", 200),
                ("/v1/games/other/boards/lap/players/me/friends", 401),
                ("/v1/games/maze/boards/none/players/me/friends", 404), ("/v1/charities/none/players/me/friends", 404),
                (Self.board + "?limit=101", 400), (Self.board + "?from=0", 400), (Self.board + "?window=never", 400),
                (Self.board + ".yaml", 404),
            ] { #expect(await server.send(.get, path, by: ada.token).status.code == status, "\(path)") }
            #expect(await server.send(.get, Self.board, by: nil).status.code == 401)
            try await server.allow(.off)
            #expect(await server.send(.get, Self.board, by: ada.token).status.code == 403)
        }
    }

    @Test("donations among friends are those that were made by name") func donations() async throws {
        try await FriendServer.with { server in
            try await server.database.addCharity("trees")
            let (ada, bob) = (try await server.person("Ada"), try await server.person("Bob"))
            await server.befriend(ada, bob)
            for (points, person) in [(Int64(10), ada), (30, bob)] { try await Self.post(points, by: person, server) }
            for (number, body, person) in [
                (1, #"{"points":4}"#, ada), (2, #"{"points":9,"anonymous":true}"#, bob), (3, #"{"points":1}"#, bob),
            ] {
                let path = "/v1/charities/trees/donations/5f0c1d2e-0000-4000-8000-00000000000\(number)"
                #expect(await server.send(.put, path, body, by: person.token).status == .created)
            }
            for path in ["/v1/charities/trees/players/me/friends.json", "/v1/contributors/players/me/friends.json"] {
                let feed = await server.send(.get, path, by: ada.token).text
                #expect(feed.contains(#""of":2,"rows":[{"rank":2,"among":1,"tied":false,"player":\#(ada.id),"#))
                #expect(
                    feed.contains(#"{"rank":3,"among":2,"tied":false,"player":\#(bob.id),"name":"Bob","points":1,"#))
                #expect(!feed.contains("Anonymous"))
            }
        }
    }
}
