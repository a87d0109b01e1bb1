import Credentials
import Crypto
import Domain
import FoundationEssentials
import HTTPTypes
import Leaderboard
import NIOCore
import NIOHTTP1
import Storage
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

/// Boards by their trust, and signatures, over the whole server without its sockets. The clock stands still at the time
/// of the contract's example.
@Suite struct SignatureTests {
    private static let now: Int64 = 1_795_262_400
    private static let token = "cbd_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8"
    private static let example = "/v1/games/maze/boards/lap/scores/0b7c6f0e-3c8e-4c5a-9c1d-2f4b8a6d1e00"
    private static let exampleHeader =
        "t=1795262400,v1=bf434b8fbe0a9eebff54d0c4354c05328028050761b829d31ea8f3c5c624b6c0"

    private struct Server {
        let responder: Responder
        let database: TestDatabase
        let signKey: String
        let gameKey: String

        func send(
            _ method: HTTPRequest.Method = .put, _ target: String, _ body: String = #"{"points":61500}"#,
            bearer: String? = SignatureTests.token, signed signatures: [String] = []
        ) async -> (status: Int, problem: String?, text: String) {
            var headers = HTTPHeaders()
            if let bearer { headers.add(name: "Authorization", value: "Bearer \(bearer)") }
            for signature in signatures { headers.add(name: "Causeboard-Signature", value: signature) }
            let response = await responder.respond(
                to: Request(
                    method: method, target: target, headers: RequestHeaders(headers), body: ByteBuffer(string: body)))
            let text = String(buffer: response.body)
            let name = text.components(after: #""type":"/problems/"#)
            return (response.status.code, name, text)
        }

        /// The header of a request as a client makes it.
        func signed(
            _ target: String, _ body: String = #"{"points":61500}"#, method: String = "PUT",
            at seconds: Int64 = SignatureTests.now, with signKey: String? = nil
        ) throws -> String {
            let letters = (signKey ?? self.signKey).dropFirst(4).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
            let key = try #require(Data(base64Encoded: String(letters) + "="))
            let digest = Hex.text(Array(SHA256.hash(data: Array(body.utf8))))
            let text = "v1\n\(method)\n\(target)\n\(seconds)\n\(digest)"
            let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: key))
            return "t=\(seconds),v1=\(Hex.text(Array(code)))"
        }

        func scores() async throws -> Int { Int(try await database.owner.ask("select count(*) from score")[0]) ?? -1 }
    }

    /// A server with the game `maze` and a board for each trust: `open`, `lap`, which takes signed posts, and `server`.
    private static func withServer(_ body: (Server) async throws -> Void) async throws {
        try await withTestDatabase { database in
            let store = database.store
            let maze = Slug.of("maze")
            let secret = try #require(Secret(hex: Hex.text(Array<UInt8>(0...31))))
            #expect(try await store.admin.addGame(maze, name: .of("Maze"), now: .noon) == .added)
            for (slug, trust) in [("open", Board.Trust.open), ("lap", .signed), ("server", .server)] {
                try await database.addBoard(slug, in: maze) { $0.trust = trust }
            }
            let key = Token.generated(.game)
            #expect(try await store.admin.addKey(key.hash, name: .of("key"), to: maze, now: .noon).0 == .added)
            let responder = Exchange.responder(
                store, secret, clock: ServerClock { Instant(microsecondsSince1970: now * 1_000_000) })
            try await withThrowingTaskGroup(of: Void.self) { services in
                services.addTask { await responder.handlers.ledger.writeBatcher.run() }
                defer { services.cancelAll() }
                let unknown = Server(responder: responder, database: database, signKey: "", gameKey: key.text)
                let answer = await unknown.send(.put, "/v1/games/maze/devices/phone", #"{"name":"Ada"}"#)
                let signKey = try #require(answer.text.components(after: #""sign_key":""#))
                #expect(answer.status == 201)
                try await body(Server(responder: responder, database: database, signKey: signKey, gameKey: key.text))
            }
        }
    }

    private static func path(_ board: String, _ id: UUID = UUID()) -> String {
        "/v1/games/maze/boards/\(board)/scores/\(id.uuidString.lowercased())"
    }

    /// Another spelling of the same path.
    private static func withUpperCaseID(_ path: String) -> String { path.dropLast(36) + path.suffix(36).uppercased() }

    @Test("the contract's example is taken, and each device that has a token is told its key") func example()
        async throws
    {
        try await Self.withServer { server in
            #expect(server.signKey == "cbs_OspMc2FwjfqXOSBEI8WIg8T3rh1Q8N3zWyz0hNAXK_0")
            #expect(await server.send(.put, Self.example, signed: [Self.exampleHeader]).status == 201)
            #expect(await server.send(.put, Self.example, signed: [Self.exampleHeader]).status == 200, "the same again")
            let again = await server.send(.put, "/v1/games/maze/devices/phone", "{}")
            #expect(again.status == 200 && again.text.contains(#""sign_key":"\#(server.signKey)""#))
            let made = await server.send(.put, "/v1/games/maze/devices/pad", #"{"name":"Bob"}"#, bearer: nil)
            let token = try #require(made.text.components(after: #""token":""#))
            let key = try #require(made.text.components(after: #""sign_key":""#))
            #expect(made.status == 201 && key != server.signKey)
            let path = Self.path("lap")
            let header = try server.signed(path, with: key)
            #expect(await server.send(.put, path, bearer: token, signed: [header]).status == 201)
            let player = await server.send(
                .put, "/v1/games/maze/players/u-7", #"{"name":"Cid"}"#, bearer: server.gameKey)
            #expect(player.status == 201 && !player.text.contains("sign_key"))
        }
    }

    @Test("an open board takes players' posts, a signed one signed ones, and the third one the game's alone")
    func trust() async throws {
        try await Self.withServer { server in
            let asGame = #"{"points":7,"external":"u-7"}"#
            _ = await server.send(.put, "/v1/games/maze/players/u-7", #"{"name":"Cid"}"#, bearer: server.gameKey)
            let expected: [(board: String, unsigned: Int, signed: Int, problem: String?)] = [
                ("open", 201, 201, nil), ("lap", 401, 201, "bad-signature"), ("server", 403, 403, "server-only"),
            ]
            for (board, unsigned, signed, problem) in expected {
                let (one, two) = (Self.path(board), Self.path(board))
                let plain = await server.send(.put, one)
                #expect(plain.status == unsigned && plain.problem == problem, "\(board): \(plain.text)")
                let answer = await server.send(.put, two, signed: [try server.signed(two)])
                #expect(answer.status == signed, "\(board): \(answer.text)")
                for signature in [[], ["nonsense"], [try server.signed(two)]] {
                    let game = await server.send(
                        .put, Self.path(board), asGame, bearer: server.gameKey, signed: signature)
                    #expect(game.status == 201, "\(board): \(game.text)")
                }
            }
            #expect(try await server.scores() == 2 + 1 + 9)
            #expect(try await server.database.auditComplaints() == [])
        }
    }

    @Test("what the ledger has is told only to whoever could post it: trust comes before idempotency") func retries()
        async throws
    {
        try await Self.withServer { server in
            let path = Self.path("lap")
            let header = try server.signed(path)
            #expect(await server.send(.put, path, signed: [header]).status == 201)
            #expect(await server.send(.put, path).problem == "bad-signature")
            #expect(await server.send(.put, path, #"{"points":1}"#).problem == "bad-signature", "no conflict either")
            #expect(await server.send(.put, path, signed: [try server.signed(path, at: Self.now + 60)]).status == 200)
            let other = #"{"points":1}"#
            #expect(
                await server.send(.put, path, other, signed: [try server.signed(path, other)]).problem == "id-reused")
            // A post that was taken while the board was open is refused once the board trusts less.
            let open = Self.path("open")
            #expect(await server.send(.put, open).status == 201)
            var change = BoardChange()
            change.trust = .signed
            #expect(
                try await server.database.store.admin.setBoard(.of("open"), in: .of("maze"), change, now: .noon) == .set
            )
            #expect(await server.send(.put, open).problem == "bad-signature")
            #expect(await server.send(.put, open, signed: [try server.signed(open)]).status == 200)
            change.trust = .server
            #expect(
                try await server.database.store.admin.setBoard(.of("open"), in: .of("maze"), change, now: .noon) == .set
            )
            #expect(await server.send(.put, open, signed: [try server.signed(open)]).problem == "server-only")
            #expect(await server.send(.get, open, "").status == 200, "a receipt needs no signature")
            #expect(try await server.scores() == 2)
        }
    }

    @Test("a signature is for one request, and one that is wrong is refused on every board") func replays() async throws
    {
        try await Self.withServer { server in
            let body = #"{"points":61500}"#
            for board in ["open", "lap", "server"] {
                let (id, path) = (UUID(), Self.path(board))
                let header = try server.signed(path)
                let mine = Self.path(board, id)
                let code = String(header.suffix(64))
                let wrong: [(String, String, String, [String])] = [
                    ("another id", mine, body, [header]),
                    ("another board", Self.path("other", id), body, [try server.signed(Self.path(board, id))]),
                    ("another body", path, #"{"points":61501}"#, [header]), ("more body", path, body + " ", [header]),
                    ("a query", path + "?a=b", body, [header]), ("an empty query", path + "?", body, [header]),
                    ("another spelling of the path", Self.withUpperCaseID(path), body, [header]),
                    ("twice", path, body, [header, header]),
                    ("in two parts", path, body, ["t=\(Self.now)", "v1=\(code)"]),
                    ("upper case", path, body, ["t=\(Self.now),v1=\(code.uppercased())"]),
                    ("a sign", path, body, ["t=+\(Self.now),v1=\(code)"]),
                    ("a leading zero", path, body, ["t=0\(Self.now),v1=\(code)"]),
                    ("another method", path, body, [try server.signed(path, method: "POST")]),
                    ("another time", path, body, ["t=\(Self.now + 1),v1=\(code)"]),
                    ("another key", path, body, [try server.signed(path, with: "cbs_" + Self.token.dropFirst(4))]),
                    ("nothing", path, body, [""]),
                    ("a long one", path, body, [header + String(repeating: ",", count: 1_000)]),
                ]
                for (what, target, body, signed:signatures) in wrong {
                    let answer = await server.send(.put, target, body, signed: signatures)
                    #expect(answer.status == 401 && answer.problem == "bad-signature", "\(board), \(what): \(answer)")
                }
                let long = await server.send(.put, path, body, signed: [String(repeating: "t", count: 3_000)])
                #expect(long.status == 431)
            }
            #expect(try await server.scores() == 0)
            // Another spelling of the path is as good when it is what was signed, and so is a query.
            let path = Self.withUpperCaseID(Self.path("lap")) + "?a=%20&b"
            #expect(await server.send(.put, path, signed: [try server.signed(path)]).status == 201)
            // The absolute form, as a proxy may send it, is signed without scheme and host.
            let target = Self.path("lap") + "?c=/d"
            #expect(
                await server.send(.put, "http://scores.example" + target, signed: [try server.signed(target)]).status
                    == 201)
            #expect(
                await server.send(
                    .put, "http://scores.example" + target,
                    signed: [try server.signed("http://scores.example" + target)]
                ).problem == "bad-signature")
        }
    }

    @Test("a signature holds for 120 s either way, and then its answer points to Date", arguments: ["open", "lap"])
    func skew(board: String) async throws {
        try await Self.withServer { server in
            for (off, status) in [(-121, 401), (-120, 201), (120, 201), (121, 401), (-86_400, 401)] as [(Int64, Int)] {
                let path = Self.path(board)
                let answer = await server.send(.put, path, signed: [try server.signed(path, at: Self.now + off)])
                #expect(answer.status == status, "\(off): \(answer.text)")
                if status == 401 { #expect(answer.problem == "clock-skew" && answer.text.contains("Date")) }
            }
            // A wrong signature is wrong at any time.
            let (path, other) = (Self.path(board), Self.path(board))
            #expect(
                await server.send(.put, path, signed: [try server.signed(other, at: Self.now - 500)]).problem
                    == "bad-signature")
        }
    }

    @Test("who holds no token of the game is unauthorized on every board, and learns nothing by a signature")
    func strangers() async throws {
        try await Self.withServer { server in
            let stranger = Token.generated(.device)
            let secret = try #require(Secret(hex: Hex.text(Array<UInt8>(0...31))))
            for board in ["open", "lap", "server"] {
                let path = Self.path(board)
                #expect(await server.send(.put, path, bearer: stranger.text).problem == "unauthorized")
                let header = try server.signed(path)
                #expect(
                    await server.send(.put, path, bearer: stranger.text, signed: [header]).problem == "bad-signature")
                let own = try server.signed(path, with: secret.signKey(of: stranger.hash).text)
                #expect(await server.send(.put, path, bearer: stranger.text, signed: [own]).problem == "unauthorized")
                #expect(await server.send(.put, path, bearer: nil, signed: [header]).problem == "unauthorized")
            }
        }
    }
}

extension String {
    /// What stands between a text and the next quotation mark; nil without the text.
    fileprivate func components(after start: String) -> String? {
        guard let range = firstRange(of: start) else { return nil }
        return String(self[range.upperBound...].prefix { $0 != "\"" })
    }
}
