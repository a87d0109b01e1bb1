import Credentials
import Domain
import Foundation
import HTTPTypes
import Leaderboard
import NIOCore
import NIOHTTP1
import Storage
import Synchronization
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

/// Teams over HTTP: players by their tokens, and the game's server by its key.
@Suite struct TeamHandlersTests {
    private static let noon = Instant(microsecondsSince1970: 1_795_262_400_000_000)
    private static let mine = "/v1/players/me/team"

    private final class Server: Sendable {
        let database: TestDatabase
        let responder: Responder
        private let clock: Clock

        private final class Clock: Sendable { let now = Mutex(TeamHandlersTests.noon) }

        init(_ database: TestDatabase) {
            self.database = database
            let clock = Clock()
            self.clock = clock
            responder = Exchange.responder(
                database.store, database.secret, clock: ServerClock { clock.now.withLock { $0 } })
        }

        func wait(days: Int64) { clock.now.withLock { $0 = $0.advanced(bySeconds: days * 86_400) } }

        func set(_ rules: TeamRules? = nil, size: Int32? = nil, rosters: TeamRosters? = nil) async throws {
            var change = GameChange()
            (change.teams, change.teamSize, change.teamRosters) = (rules, size, rosters)
            #expect(try await database.store.admin.setGame(.of("maze"), change, now: TeamHandlersTests.noon) == .set)
        }

        func send(_ method: HTTPRequest.Method, _ path: String, _ body: String = "", by token: Token? = nil) async
            -> Response
        {
            let fields = token.map { [("authorization", "Bearer \($0.text)")] } ?? []
            return await responder.respond(
                to: Request(
                    method: method, target: path, headers: RequestHeaders(.init(fields)), body: ByteBuffer(string: body)
                ))
        }

        /// Registers a player.
        func player(_ name: String) async throws -> (id: Int, token: Token) {
            let token = Token.generated(.device)
            let response = await send(.put, "/v1/games/maze/devices/\(name)", #"{"name":"\#(name)"}"#, by: token)
            return (try #require((response.json["player"] as? [String: Any])?["id"] as? Int), token)
        }

        func post(_ points: Int, by token: Token, on board: String) async {
            let response = await send(
                .put, "/v1/games/maze/boards/\(board)/scores/\(UUID().uuidString.lowercased())",
                #"{"points":\#(points)}"#, by: token)
            #expect(response.status == .created)
        }

        func addKey(scopes: [String]) async throws -> Token {
            let token = Token.generated(.game)
            let key = NewKey(
                id: UUID(), game: .of("maze"), hash: token.hash, name: .of("server"),
                scopes: try KeyScopes(scopes, of: .game, field: "scopes"))
            #expect(try await database.store.admin.addKey(key, now: TeamHandlersTests.noon).0 == .added)
            return token
        }
    }

    private func withServer(_ body: @escaping @Sendable (Server) async throws -> Void) async throws {
        try await withTestDatabase { database in
            _ = try await database.addGame("maze")
            let server = Server(database)
            try await withThrowingTaskGroup(of: Void.self) { services in
                services.addTask { await server.responder.handlers.ledger.writeBatcher.run() }
                defer { services.cancelAll() }
                try await body(server)
            }
        }
    }

    @Test("a player makes a team, and others join by the code that the captain sees") func joining() async throws {
        try await withServer { server in
            let (ada, bob) = (try await server.player("Ada"), try await server.player("Bob"))
            #expect(await server.send(.put, Self.mine, #"{"make":"Red"}"#, by: ada.token).problem == "forbidden")
            try await server.set(.codes, size: 2)
            #expect(await server.send(.get, Self.mine, by: ada.token).status == .notFound)
            let made = await server.send(.put, Self.mine, #"{"make":"Red"}"#, by: ada.token)
            #expect(made.status == .created && made.headers[.cacheControl] == "private, no-store")
            let id = try #require(made.json["id"] as? Int)
            #expect(made.text == #"{"id":\#(id),"name":"Red","role":"captain","first_day":"2026-11-21"}"#)
            let again = await server.send(.put, Self.mine, #"{"make":"Red"}"#, by: ada.token)
            #expect(again.status == .ok && again.headers[.idempotentReplayed] == "true" && again.text == made.text)
            #expect(await server.send(.put, Self.mine, #"{"make":"Blue"}"#, by: ada.token).problem == "in-team")

            let code = try #require(await server.send(.get, Self.mine, by: ada.token).json["code"] as? String)
            #expect(code.count == 8)
            let typed = code.lowercased().prefix(4) + " - " + code.suffix(4)
            let joined = await server.send(.put, Self.mine, #"{"code":"\#(typed)"}"#, by: bob.token)
            #expect(joined.status == .created && joined.json["role"] as? String == "member")
            #expect(await server.send(.put, Self.mine, #"{"code":"\#(code)"}"#, by: bob.token).status == .ok)
            let own = await server.send(.get, Self.mine, by: bob.token)
            #expect(own.json["code"] == nil)
            #expect((own.json["members"] as? [[String: Any]])?.map { $0["name"] as? String } == ["Ada", "Bob"])
            let cy = try await server.player("Cy")
            #expect(await server.send(.put, Self.mine, #"{"code":"\#(code)"}"#, by: cy.token).problem == "team-full")
            for wrong in ["ABCDEFGH", "", "?", String(repeating: "A", count: 99)] {
                let response = await server.send(.put, Self.mine, #"{"code":"\#(wrong)"}"#, by: cy.token)
                #expect(response.problem == "code-refused" && response.status == .unprocessableContent)
            }
            for body in ["{}", #"{"make":"A","code":"B"}"#, #"{"make":""}"#, #"{"make":7}"#] {
                #expect(await server.send(.put, Self.mine, body, by: cy.token).problem == "field", "\(body)")
            }
            #expect(await server.send(.put, Self.mine, #"{"make":"Red"}"#).status == .unauthorized)
        }
    }

    @Test("the captain changes the team, and nobody else") func changing() async throws {
        try await withServer { server in
            try await server.set(.codes, rosters: .public)
            let (ada, bob) = (try await server.player("Ada"), try await server.player("Bob"))
            let made = await server.send(.put, Self.mine, #"{"make":"Red"}"#, by: ada.token)
            let id = try #require(made.json["id"] as? Int)
            let code = try #require(await server.send(.get, Self.mine, by: ada.token).json["code"] as? String)
            _ = await server.send(.put, Self.mine, #"{"code":"\#(code)"}"#, by: bob.token)
            #expect(await server.send(.patch, Self.mine, #"{"name":"Mine"}"#, by: bob.token).problem == "forbidden")
            server.wait(days: 1)
            let fresh = await server.send(.patch, Self.mine, #"{"name":"Scarlet","code":"new"}"#, by: ada.token)
            #expect(fresh.status == .ok && fresh.json["name"] as? String == "Scarlet")
            #expect(fresh.json["code"] as? String != code && (fresh.json["code"] as? String)?.count == 8)
            for (body, problem) in [
                (#"{"code":"old"}"#, "field"), (#"{"remove":0}"#, "field"), (#"{"captain":"x"}"#, "field"),
                (#"{"remove":\#(ada.id)}"#, "not-found"), (#"{"captain":77}"#, "not-found"),
            ] { #expect(await server.send(.patch, Self.mine, body, by: ada.token).problem == problem, "\(body)") }
            let handed = await server.send(.patch, Self.mine, #"{"captain":\#(bob.id)}"#, by: ada.token)
            #expect(handed.json["role"] as? String == "member" && handed.json["code"] == nil)
            let shown = await server.send(.get, "/v1/games/maze/teams/\(id)")
            #expect(shown.status == .ok && shown.json["members"] as? Int == 2)
            #expect((shown.json["roster"] as? [[String: Any]])?.map { $0["role"] as? String } == ["captain", "member"])
            try await server.set(rosters: .members)
            #expect(await server.send(.get, "/v1/games/maze/teams/\(id)").json["roster"] == nil)
            #expect(await server.send(.get, "/v1/games/maze/teams/5").status == .notFound)
            #expect(await server.send(.get, "/v1/games/maze/teams/x").status == .notFound)
            #expect(await server.send(.get, "/v1/games/default/teams/\(id)").status == .notFound)
            for token in [bob.token, ada.token, ada.token] {
                #expect(await server.send(.delete, Self.mine, by: token).status == .noContent)
            }
            #expect(await server.send(.get, "/v1/games/maze/teams/\(id)").json["closed_at"] != nil)
        }
    }

    @Test("players report the name of a team, once") func reporting() async throws {
        try await withServer { server in
            try await server.set(.codes)
            let ada = try await server.player("Ada")
            let id = try #require(
                await server.send(.put, Self.mine, #"{"make":"Red"}"#, by: ada.token).json["id"] as? Int)
            let path = "/v1/games/maze/teams/\(id)/report"
            #expect(await server.send(.post, path, #"{"why":"name"}"#, by: ada.token).status == .accepted)
            let again = await server.send(.post, path, #"{"why":"name"}"#, by: ada.token)
            #expect(again.status == .accepted && again.headers[.idempotentReplayed] == "true")
            #expect(await server.send(.post, path, #"{"why":"other"}"#, by: ada.token).problem == "field")
            let none = await server.send(.post, "/v1/games/maze/teams/5/report", #"{"why":"name"}"#, by: ada.token)
            #expect(none.status == .notFound)
        }
    }

    @Test("the game's server makes teams with the scope groups") func byKey() async throws {
        try await withServer { server in
            let key = try await server.addKey(scopes: ["register", "groups"])
            let team = "/v1/games/maze/teams/guild-7"
            #expect(await server.send(.put, team, #"{"name":"Red"}"#, by: key).problem == "forbidden")
            try await server.set(.server)
            _ = await server.send(.put, "/v1/games/maze/players/u7", #"{"name":"Ada"}"#, by: key)
            let made = await server.send(.put, team, #"{"name":"Red"}"#, by: key)
            #expect(made.status == .created && made.json["members"] as? Int == 0)
            #expect(await server.send(.put, team, #"{"name":"Red"}"#, by: key).headers[.idempotentReplayed] == "true")
            let renamed = await server.send(.put, team, #"{"name":"Blue"}"#, by: key)
            #expect(renamed.status == .ok && renamed.json["id"] as? Int == made.json["id"] as? Int)
            #expect(renamed.headers[.idempotentReplayed] == nil)
            let placed = await server.send(.put, "\(team)/members/u7", by: key)
            #expect(placed.status == .created && placed.json["role"] as? String == "member")
            #expect(await server.send(.put, "\(team)/members/u7", by: key).status == .ok)
            #expect(await server.send(.put, "\(team)/members/u8", by: key).status == .notFound)
            #expect(await server.send(.put, "/v1/games/maze/teams/other/members/u7", by: key).status == .notFound)
            #expect(await server.send(.delete, "\(team)/members/u7", by: key).status == .noContent)
            #expect(await server.send(.delete, "\(team)/members/u7", by: key).status == .noContent)
            let poster = try await server.addKey(scopes: ["post"])
            #expect(await server.send(.put, team, #"{"name":"Red"}"#, by: poster).problem == "scope")
            let ada = try await server.player("Eve")
            #expect(await server.send(.put, team, #"{"name":"Red"}"#, by: ada.token).status == .forbidden)
            #expect(await server.send(.put, Self.mine, #"{"make":"Red"}"#, by: ada.token).problem == "forbidden")
        }
    }

    @Test("a board among the members of a team is for them, and for everybody where the game shows teams") func among()
        async throws
    {
        try await withServer { server in
            try await server.set(.codes)
            try await server.database.addBoard("lap", in: .of("maze"))
            let (ada, bob) = (try await server.player("Ada"), try await server.player("Bob"))
            let cy = try await server.player("Cy")
            let id = try #require(
                await server.send(.put, Self.mine, #"{"make":"Red"}"#, by: ada.token).json["id"] as? Int)
            let code = try #require(await server.send(.get, Self.mine, by: ada.token).json["code"] as? String)
            _ = await server.send(.put, Self.mine, #"{"code":"\#(code)"}"#, by: bob.token)
            for (player, points) in [(ada, 5), (bob, 9), (cy, 7)] {
                await server.post(points, by: player.token, on: "lap")
            }
            let path = "/v1/games/maze/boards/lap/players/me/team.json"
            let own = await server.send(.get, path, by: ada.token)
            #expect(own.status == .ok && own.headers[.cacheControl] == "private, no-store")
            #expect(own.json["among"] as? String == "team" && own.json["of"] as? Int == 2)
            let rows = try #require(own.json["rows"] as? [[String: Any]])
            #expect(rows.map { $0["rank"] as? Int } == [1, 3] && rows.map { $0["among"] as? Int } == [1, 2])
            #expect(await server.send(.get, path, by: cy.token).status == .notFound)
            #expect(await server.send(.get, path).status == .unauthorized)
            let shown = "/v1/games/maze/boards/lap/top.json?team=\(id)"
            #expect(await server.send(.get, shown).status == .notFound)
            try await server.set(rosters: .public)
            let top = await server.send(.get, shown)
            #expect((top.json["rows"] as? [[String: Any]])?.map { $0["name"] as? String } == ["Bob", "Ada"])
            #expect(top.json["next"] == nil)
            #expect(await server.send(.get, shown + "&from=2").json["of"] as? Int == 2)
            #expect(await server.send(.get, "/v1/games/maze/boards/lap/top.json?team=x").status == .notFound)
            #expect(await server.send(.get, shown + "&players=7").status == .badRequest)
        }
    }

    @Test("pages show who is in a team, and a player's team, where rosters are public") func pages() async throws {
        try await withServer { server in
            try await server.set(.codes)
            let ada = try await server.player("Ada")
            let made = await server.send(.put, Self.mine, #"{"make":"Red <b>"}"#, by: ada.token)
            let team = "/games/maze/teams/\(try #require(made.json["id"] as? Int))"
            let link = "<a href=\"\(team)\"><bdi>Red &lt;b&gt;</bdi></a>"
            #expect(await server.send(.get, team).text.contains("<h1><bdi>Red &lt;b&gt;</bdi></h1>"))
            #expect(await !server.send(.get, team).text.contains("Ada"))
            #expect(await !server.send(.get, "/players/\(ada.id)").text.contains(team))
            try await server.set(rosters: .public)
            let page = await server.send(.get, team).text
            #expect(
                page.contains("<a href=\"/players/\(ada.id)\"><b><bdi>Ada</bdi></b></a>") && page.contains("captain"))
            #expect(await server.send(.get, "/players/\(ada.id)").text.contains("Plays for " + link))
            try await server.set(.off)
            #expect(await !server.send(.get, "/players/\(ada.id)").text.contains(team))
        }
    }

    @Test("teams are ranked by the points of their members, in every format") func ranking() async throws {
        try await withServer { server in
            try await server.set(.codes)
            try await server.database.addBoard("sums", in: .of("maze")) { board in
                board.policy = .sum
                board.teams = .sum
            }
            try await server.database.addBoard("solo", in: .of("maze"))
            let (ada, bob) = (try await server.player("Ada"), try await server.player("Bob"))
            for (player, name) in [(ada, "Red"), (bob, "Blue")] {
                _ = await server.send(.put, Self.mine, #"{"make":"\#(name)"}"#, by: player.token)
            }
            await server.post(5, by: ada.token, on: "sums")
            await server.post(7, by: bob.token, on: "sums")
            let path = "/v1/games/maze/boards/sums/teams/top"
            let top = await server.send(.get, path + ".json")
            #expect(top.status == .ok && top.json["of"] as? Int == 2)
            let rows = try #require(top.json["rows"] as? [[String: Any]])
            #expect(rows.map { $0["name"] as? String } == ["Blue", "Red"])
            #expect(rows.map { $0["points"] as? Int } == [7, 5] && rows.map { $0["members"] as? Int } == [1, 1])
            #expect(rows.allSatisfy { $0["team"] is Int && $0["player"] == nil })
            // The exact time is that of a member's row, which only public rosters give away.
            let times = rows.compactMap { $0["reached_at"] as? String }
            #expect(times.count == 2 && times.allSatisfy { $0.hasSuffix("T00:00:00.000000Z") })
            let first = await server.send(.get, path + ".json?limit=1")
            let next = try #require(first.json["next"] as? String)
            let second = await server.send(.get, path + ".json?limit=1&after=\(next)")
            #expect((second.json["rows"] as? [[String: Any]])?.first?["name"] as? String == "Red")
            #expect((second.json["rows"] as? [[String: Any]])?.first?["rank"] as? Int == 2)
            let prev = try #require(second.json["prev"] as? String)
            let back = await server.send(.get, path + ".json?limit=1&before=\(prev)")
            #expect((back.json["rows"] as? [[String: Any]])?.first?["name"] as? String == "Blue")
            for suffix in [".xml", ".csv", ".atom", ".plist", ".html"] {
                #expect(await server.send(.get, path + suffix).status == .ok, "\(suffix)")
            }
            let csv = await server.send(.get, path + ".csv").text
            #expect(csv.hasPrefix("rank,tied,team,name,points,members,reached_at"))
            #expect(await server.send(.get, "/v1/games/maze/boards/solo/teams/top.json").status == .notFound)
            #expect(await server.send(.get, "/v1/games/maze/boards/none/teams/top.json").status == .notFound)
            #expect(await server.send(.get, "/v1/contributors/teams/top.json").status == .ok)
            try await server.set(.off)
            let none = await server.send(.get, path + ".json?limit=9")
            #expect(none.status == .notFound)
        }
    }
}

extension Response {
    fileprivate var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: Any]) ?? [:]
    }

    fileprivate var problem: String? {
        (json["type"] as? String).flatMap { $0.split(separator: "/").last.map(String.init) }
    }
}
