import Credentials
import Domain
import Foundation
import HTTPTypes
import Leaderboard
import NIOCore
import NIOHTTP1
import Storage
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

/// A server with a game whose players may become friends.
struct FriendServer: Sendable {
    struct Person: Sendable {
        let token: Token
        let id: Int64
    }

    let database: TestDatabase
    let responder: Responder

    static func with(
        _ rules: FriendRules = .requests, rates: RateLimiter = RateLimiter(.off),
        _ body: @escaping @Sendable (FriendServer) async throws -> Void
    ) async throws {
        try await withTestDatabase { database in
            _ = try await database.addGame("maze")
            try await database.addBoard("lap", in: .of("maze"))
            let server = FriendServer(
                database: database,
                responder: Exchange.responder(
                    database.store, database.secret, rates: rates, clock: ServerClock { Instant.noon }))
            try await server.allow(rules)
            try await withThrowingTaskGroup(of: Void.self) { services in
                services.addTask { await server.responder.handlers.ledger.writeBatcher.run() }
                defer { services.cancelAll() }
                try await body(server)
            }
        }
    }

    func allow(_ rules: FriendRules) async throws {
        let set = try await database.store.admin.setGame(.of("maze"), friends: rules, now: .noon)
        #expect(set == .set)
    }

    func send(_ method: HTTPRequest.Method, _ path: String, _ body: String = "", by token: Token?) async -> Response {
        var fields: [(String, String)] = []
        if let token { fields.append(("authorization", "Bearer \(token.text)")) }
        return await responder.respond(
            to: Request(
                method: method, target: path, headers: RequestHeaders(.init(fields)), body: ByteBuffer(string: body)))
    }

    func send(_ method: HTTPRequest.Method, _ path: String, _ body: String = "", by person: Person) async -> Response {
        await send(method, "/v1/players/me/\(path)", body, by: person.token)
    }

    func person(_ name: String) async throws -> Person {
        let token = Token.generated(.device)
        let made = await send(.put, "/v1/games/maze/devices/\(name)", #"{"name":"\#(name)"}"#, by: token)
        let player = try #require(made.object["player"] as? [String: Any])
        return Person(token: token, id: Int64(try #require(player["id"] as? Int)))
    }

    func befriend(_ one: Person, _ other: Person) async {
        #expect(await send(.put, "friends/\(other.id)", by: one).text == #"{"state":"asking"}"#)
        #expect(await send(.put, "friends/\(one.id)", by: other).text == #"{"state":"friends"}"#)
    }
}

extension Response {
    var text: String { String(buffer: body).trimmingCharacters(in: .whitespacesAndNewlines) }

    var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: Any]) ?? [:]
    }

    /// The name of the problem; nil for what is none.
    var problemName: String? { (object["type"] as? String).flatMap { $0.split(separator: "/").last.map(String.init) } }
}
