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

/// A server of a game `maze` whose players show flags. On its board `lap` low is good, and `gems` sums. Both rank
/// countries by their two best players. Nothing is in memory.
final class FlagServer: Sendable {
    static let noon = Instant(microsecondsSince1970: 1_795_262_400_000_000)
    static let game = Slug.of("maze")

    let database: TestDatabase
    let responder: Responder

    private init(_ database: TestDatabase, _ now: @escaping @Sendable () -> Instant) {
        self.database = database
        responder = Exchange.responder(database.store, database.secret, clock: ServerClock { now() })
    }

    static func run(_ body: @escaping @Sendable (FlagServer) async throws -> Void) async throws {
        try await withTestDatabase { database in
            _ = try await database.addGame("maze")
            try await database.addBoard("lap", in: game) { board in
                board.lowestFirst = true
                board.countries = CountryScoring(best: 2)
            }
            try await database.addBoard("gems", in: game) { board in
                board.policy = .sum
                board.countries = CountryScoring(best: 2)
            }
            let ticks = Ticks()
            let server = FlagServer(database) { noon.advanced(bySeconds: ticks.next()) }
            try await server.set { $0.flags = true }
            try await withThrowingTaskGroup(of: Void.self) { services in
                services.addTask { await server.responder.handlers.ledger.writeBatcher.run() }
                defer { services.cancelAll() }
                try await body(server)
            }
        }
    }

    func set(_ build: (inout GameChange) -> Void) async throws {
        let outcome = try await database.store.admin.setGame(Self.game, GameChange(build), now: Self.noon)
        #expect(outcome == .set)
    }

    func send(_ method: HTTPRequest.Method, _ path: String, _ body: String = "", by token: Token? = nil) async
        -> Response
    {
        var fields: [(String, String)] = []
        if let token { fields.append(("authorization", "Bearer \(token.text)")) }
        return await responder.respond(
            to: Request(
                method: method, target: path, headers: RequestHeaders(.init(fields)), body: ByteBuffer(string: body)))
    }

    /// Registers a player.
    /// - Parameter flag: Nil shows none.
    func player(_ name: String, flag: String? = nil) async throws -> Token {
        let token = Token.generated(.device)
        let path = "/v1/games/maze/devices/phone-of-\(name)"
        #expect(await send(.put, path, #"{"name":"\#(name)"}"#, by: token).status == .created)
        if let flag { #expect(await send(.patch, "/v1/players/me", #"{"flag":"\#(flag)"}"#, by: token).status == .ok) }
        return token
    }

    func post(_ points: Int, by token: Token, on board: String) async {
        let path = "/v1/games/maze/boards/\(board)/scores/\(UUID().uuidString.lowercased())"
        #expect(await send(.put, path, #"{"points":\#(points)}"#, by: token).status == .created)
    }

    func object(_ path: String) async -> [String: Any] { await send(.get, path).object }
}

/// Seconds that pass with each look.
private final class Ticks: Sendable {
    private let count = Atomic<Int64>(0)
    func next() -> Int64 { count.wrappingAdd(1, ordering: .relaxed).newValue }
}
