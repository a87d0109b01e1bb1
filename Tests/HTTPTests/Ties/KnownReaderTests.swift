import Credentials
import Domain
import HTTPTypes
import Leaderboard
import Postgres
import Storage
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

/// Reads of players whom a process that follows the database knows.
@Suite struct KnownReaderTests {
    private static let board = "/v1/games/maze/boards/lap/players/me"

    /// Runs a server whose memory follows the database.
    private static func following(_ body: @escaping @Sendable (FriendServer) async throws -> Void) async throws {
        try await withTestDatabase { database in
            _ = try await database.addGame("maze")
            try await database.addBoard("lap", in: .of("maze"))
            let memory = LeaderboardMemory(store: database.store)
            let follower = Follower(
                store: database.store, heartbeats: database.store, memory: memory, logger: .none, now: { .noon },
                copies: 1
            ) { () async throws(FollowError) in
                try await RollupStream.open(ConnectionSettings(conninfo: database.owner.conninfo), logger: .none)
            }
            let server = FriendServer(
                database: database,
                responder: Exchange.responder(
                    database.store, database.secret, clock: ServerClock { Instant.noon }, memory: memory))
            try await server.allow(.requests)
            try await withThrowingTaskGroup(of: Void.self) { services in
                services.addTask { await server.responder.handlers.ledger.writeBatcher.run() }
                services.addTask { await follower.run() }
                defer { services.cancelAll() }
                try await body(server)
            }
            try await database.waitUntilNobodyFollows()
        }
    }

    /// Polls until an answer has come. Memory may be behind for a moment at any time.
    private static func wait(_ what: String, _ isDone: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while try await !isDone() {
            guard .now < end else { throw TestDatabaseError("waited too long for \(what)") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private static func status(_ server: FriendServer, _ path: String, _ token: Token) async -> Int {
        await server.send(.get, path, by: token).status.code
    }

    @Test("a board among friends, a place and its neighbours ask the database nothing") func silent() async throws {
        try await Self.following { server in
            let (ada, bob) = (try await server.person("Ada"), try await server.person("Bob"))
            await server.befriend(ada, bob)
            for (points, person) in [(10, ada), (30, bob)] {
                let posted = await server.send(
                    .put, "/v1/games/maze/boards/lap/scores/5f0c1d2e-0000-4000-8000-0000000000\(points)",
                    #"{"points":\#(points)}"#, by: person.token)
                #expect(posted.status == .created)
            }
            let paths = ["/friends.json", "/friends.csv?limit=1", "", "/around.json"].map { Self.board + $0 }
            func answers() async -> [String] {
                var answers: [String] = []
                for path in paths { answers.append(await server.send(.get, path, by: ada.token).text) }
                return answers
            }
            let expected = await answers()
            #expect(expected[0].contains(#""of":2,"#) && expected[0].contains(#""name":"Bob""#))
            // Every statement about players needs one of these.
            let tables = ["device", "player", "wallet", "tie", "standing", "board", "game", "merge", "erasure"]
            func rename(_ from: String, _ to: String) async throws {
                let script = tables.map { "alter table \($0)\(from) rename to \($0)\(to);" }.joined()
                try await server.database.owner.script("begin; \(script) commit")
            }
            try await Self.wait("answers from memory alone") {
                // What was asked before is remembered once memory is current.
                guard await answers() == expected else { return false }
                try await rename("", "_away")
                let isSilent = await answers() == expected
                try await rename("_away", "")
                return isSilent
            }
        }
    }

    @Test("a token that was replaced, a device that was cut off and a player who left are refused at once")
    func leaving() async throws {
        try await Self.following { server in
            let (ada, bob) = (try await server.person("Ada"), try await server.person("Bob"))
            await server.befriend(ada, bob)
            let paths = [Self.board + "/friends.json", "/v1/players/me", "/v1/players/me/friends"]
            /// Reads often enough that the token is known.
            func read(_ token: Token) async {
                for path in paths + paths { #expect(await Self.status(server, path, token) == 200, "\(path)") }
            }
            var token = ada.token
            for _ in 0..<8 {
                await read(token)
                let new = Token.generated(.device)
                let replaced = await server.send(.put, "/v1/players/me/token", #"{"token":"\#(new.text)"}"#, by: token)
                #expect(replaced.status == .ok)
                for path in paths { #expect(await Self.status(server, path, token) == 401, "\(path)") }
                token = new
            }
            let other = Token.generated(.device)
            let code = try #require(
                await server.send(.post, "/v1/players/me/codes", by: token).object["code"] as? String)
            let joined = await server.send(.put, "/v1/games/maze/devices/other", #"{"code":"\#(code)"}"#, by: other)
            #expect(joined.status == .created)
            await read(other)
            let listed = await server.send(.get, "/v1/players/me/devices", by: token).object["devices"]
            let devices = try #require(listed as? [[String: Any]])
            let id = try #require(devices.first { $0["this"] as? Bool == false }?["id"] as? String)
            #expect(await server.send(.delete, "/v1/players/me/devices/\(id)", by: token).status == .noContent)
            for path in paths { #expect(await Self.status(server, path, other) == 401, "\(path)") }
            await read(token)
            let left = await server.send(.post, "/v1/players/me/erasure", #"{"confirm":"Ada"}"#, by: token)
            #expect(left.status == .ok)
            for path in paths { #expect(await Self.status(server, path, token) == 410, "\(path)") }
            #expect(await server.send(.get, paths[0], by: bob.token).text.contains(#""of":0,"#))
        }
    }

    @Test("what another process changes is noticed: a token, the game's friends, and who is hidden") func others()
        async throws
    {
        try await Self.following { server in
            let (ada, bob) = (try await server.person("Ada"), try await server.person("Bob"))
            await server.befriend(ada, bob)
            let posted = await server.send(
                .put, "/v1/games/maze/boards/lap/scores/5f0c1d2e-0000-4000-8000-000000000001", #"{"points":9}"#,
                by: bob.token)
            #expect(posted.status == .created)
            let path = Self.board + "/friends.json"
            func text() async -> String { await server.send(.get, path, by: ada.token).text }
            try await Self.wait("Bob's row") { await text().contains(#""of":1,"#) }
            try await server.database.moderate(.hide(Player.ID(rawValue: bob.id)))
            try await Self.wait("Bob to be hidden") { await text().contains(#""of":0,"#) }
            try await server.allow(.off)
            try await Self.wait("friends to be off") { await Self.status(server, path, ada.token) == 403 }
            try await server.allow(.codes)
            try await Self.wait("friends to be on") { await Self.status(server, path, ada.token) == 200 }
            let new = Token.generated(.device)
            let rotated = try await server.database.store.rotate(ada.token.hash, to: new.hash, now: .noon)
            #expect(rotated?.outcome == .rotated)
            try await Self.wait("the old token to end") { await Self.status(server, path, ada.token) == 401 }
            #expect(await Self.status(server, path, new) == 200)
        }
    }
}
