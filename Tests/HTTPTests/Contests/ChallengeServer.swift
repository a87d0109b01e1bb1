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

/// A server of a game `maze` whose players challenge their friends on the board `lap`, where low is good and days are
/// those of Berlin. Its clock stands still until a test moves it.
final class ChallengeServer: Sendable {
    static let game = Slug.of("maze")

    let database: TestDatabase
    let responder: Responder
    private let clock: Clock

    private final class Clock: Sendable { let now = Mutex(Instant.at("2026-11-26T08:00:00Z")) }

    private init(_ database: TestDatabase) {
        self.database = database
        let clock = Clock()
        self.clock = clock
        responder = Exchange.responder(
            database.store, database.secret, clock: ServerClock { clock.now.withLock { $0 } })
    }

    static func run(ties: Board.Ties = .first, _ body: @escaping @Sendable (ChallengeServer) async throws -> Void)
        async throws
    {
        try await withTestDatabase { database in
            _ = try await database.addGame("maze")
            try await database.addBoard("lap", in: game) { board in
                board.lowestFirst = true
                board.zone = "Europe/Berlin"
                board.ties = ties
            }
            try await database.addBoard("purse", in: game)
            for charity in ["water", "books"] { try await database.addCharity(charity) }
            let server = ChallengeServer(database)
            try await server.set {
                $0.friends = .codes
                $0.challenges = .friends
                $0.stakeMax = 10
            }
            try await withThrowingTaskGroup(of: Void.self) { services in
                services.addTask { await server.writeBatcher.run() }
                defer { services.cancelAll() }
                try await body(server)
            }
        }
    }

    var writeBatcher: WriteBatcher { responder.handlers.ledger.writeBatcher }

    func set(_ build: (inout GameChange) -> Void) async throws {
        let outcome = try await database.store.admin.setGame(Self.game, GameChange(build), now: .noon)
        #expect(outcome == .set)
    }

    func setClock(_ time: String) { clock.now.withLock { $0 = .at(time) } }

    func send(_ method: HTTPRequest.Method, _ path: String, _ body: String = "", by player: Challenger? = nil) async
        -> Response
    {
        var fields: [(String, String)] = []
        if let player { fields.append(("authorization", "Bearer \(player.token.text)")) }
        return await responder.respond(
            to: Request(
                method: method, target: path, headers: RequestHeaders(.init(fields)), body: ByteBuffer(string: body)))
    }

    /// Registers players who all are friends.
    func friends(_ names: String...) async throws -> [Challenger] {
        var players: [Challenger] = []
        for name in names {
            let token = Token.generated(.device)
            let path = "/v1/games/maze/devices/phone-of-\(name)"
            let fields = [("authorization", "Bearer \(token.text)")]
            let response = await responder.respond(
                to: Request(
                    method: .put, target: path, headers: RequestHeaders(.init(fields)),
                    body: ByteBuffer(string: #"{"name":"\#(name)"}"#)))
            let id = try #require((response.object["player"] as? [String: Any])?["id"] as? Int)
            players.append(Challenger(name: name, id: id, token: token))
        }
        let ids = players.map { "\($0.id)" }.joined(separator: ",")
        try await database.owner.script(
            """
            insert into tie (player_id, other_id, says, at)
            select a.id, b.id, 'yes', now() from player a, player b
             where a.id in (\(ids)) and b.id in (\(ids)) and a.id <> b.id
            """)
        return players
    }

    func post(_ points: Int, by player: Challenger, on board: String = "lap") async {
        let path = "/v1/games/maze/boards/\(board)/scores/\(UUID().uuidString.lowercased())"
        #expect(await send(.put, path, #"{"points":\#(points)}"#, by: player).status == .created)
    }

    /// Makes a challenge for today and tomorrow.
    func challenge(
        _ players: [Challenger], by maker: Challenger, id: UUID = UUID(), stake: Int = 0, charity: String? = nil
    ) async -> (path: String, Response) {
        let path = "/v1/games/maze/boards/lap/challenges/\(id.uuidString.lowercased())"
        let staked = charity.map { #","stake":\#(stake),"charity":"\#($0)""# } ?? ""
        let body = #"{"days":1,"players":[\#(players.map { "\($0.id)" }.joined(separator: ","))]\#(staked)}"#
        return (path, await send(.put, path, body, by: maker))
    }

    func enter(_ path: String, _ player: Challenger, for charity: String? = nil) async -> Response {
        await send(.put, path + "/entry", charity.map { #"{"charity":"\#($0)"}"# } ?? "{}", by: player)
    }

    /// The challenge's state, and who is in it: `Ada 1, Bob 2, Dee`, with `!` for who has not entered, and with what
    /// each gave.
    func shows(_ path: String, to player: Challenger) async -> String {
        let found = await send(.get, path, by: player).object
        let rows = found["entrants"] as? [[String: Any]] ?? []
        let entrants = rows.map { row in
            var text = row["name"] as? String ?? "?"
            if row["state"] as? String != "entered" { text += "!" }
            if let rank = row["rank"] as? Int { text += " \(rank)" }
            if let gave = row["gave"] as? Int { text += " gave \(gave)" }
            return text
        }
        // Ids are random, and those without a row are in their order.
        let ranked = rows.prefix { $0["rank"] != nil }.count
        let shown = entrants.prefix(ranked) + entrants.dropFirst(ranked).sorted()
        let corrected = found["corrected"] as? Bool == true ? " corrected" : ""
        return "\(found["state"] as? String ?? "?")\(corrected): \(shown.joined(separator: ", "))"
    }

    func settle() async throws -> [Int] {
        let done = try await writeBatcher.settleChallenges()
        return [done.settled, done.donated]
    }

    /// What a charity has received.
    func points(of charity: String) async -> Int? {
        await send(.get, "/v1/charities/\(charity)").object["points"] as? Int
    }
}

struct Challenger: Sendable {
    let name: String
    let id: Int
    let token: Token
}
