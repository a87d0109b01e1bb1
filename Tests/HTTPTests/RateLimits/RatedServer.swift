import Credentials
import Domain
import Feeds
import FoundationEssentials
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

/// A responder with limits of rates on a database of its own, whose monotonic clock a test moves.
struct RatedServer: Sendable {
    let responder: Responder
    let store: Store
    let database: TestDatabase
    private let clock: ManualClock

    private final class ManualClock: Sendable { let nanoseconds = Mutex<UInt64>(1_000_000_000_000) }

    /// - Parameter rates: Rates by the names of their limits; the other limits have their standard ones.
    static func with(
        _ rates: [String: String], eventNetworks: [String] = [], proxies: [String] = [], isAdminPublic: Bool = false,
        reserve: DiskReserve? = nil, _ body: (RatedServer) async throws -> Void
    ) async throws {
        try await withTestDatabase { database in
            var settings = RateSettings()
            for (name, rate) in rates {
                let (limit, rate) = (try #require(RateLimit(name: name)), try #require(Rate(rate)))
                settings.rates[limit] = rate
            }
            settings.eventNetworks = try eventNetworks.map { try #require(IPNetwork($0)) }
            let clock = ManualClock()
            let server = RatedServer(
                responder: Exchange.responder(
                    database.store, database.secret,
                    proxies: TrustedProxies(try proxies.map { try #require(IPNetwork($0)) }),
                    rates: RateLimiter(settings) { clock.nanoseconds.withLock { $0 } }, isAdminPublic: isAdminPublic,
                    reserve: reserve), store: database.store, database: database, clock: clock)
            try await database.addBoard("lap")
            try await database.addCharity("trees")
            try await withThrowingTaskGroup(of: Void.self) { services in
                services.addTask { await server.responder.handlers.ledger.writeBatcher.run() }
                defer { services.cancelAll() }
                try await body(server)
            }
        }
    }

    func wait(seconds: Int) { clock.nanoseconds.withLock { $0 += UInt64(seconds) * 1_000_000_000 } }

    /// - Parameter bearer: A token or a key.
    @discardableResult func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "", bearer: String? = nil,
        from address: String? = "203.0.113.1", forwardedFor: String? = nil, headers: HTTPHeaders = [:],
        on listener: ListenerRole = .open
    ) async -> Answer {
        var headers = headers
        if let bearer { headers.add(name: "Authorization", value: "Bearer \(bearer)") }
        if let forwardedFor { headers.add(name: "X-Forwarded-For", value: forwardedFor) }
        let response = await responder.respond(
            to: Request(
                method: method, target: path, headers: RequestHeaders(headers), body: ByteBuffer(string: body),
                peer: Peer(address: address.flatMap { IPAddress($0) }, isEncrypted: false, listener: listener)))
        return Answer(response)
    }

    /// Registers a device of the game `default`.
    /// - Returns: The device's token.
    func player(_ name: String = "Ada", from address: String = "198.51.100.1") async -> String {
        let token = Token.generated(.device).text
        let answer = await send(
            .put, "/v1/games/default/devices/\(name)", #"{"name": "\#(name)"}"#, bearer: token, from: address)
        #expect(answer.status == 201, "\(answer.text)")
        return token
    }

    /// Posts a score under a new id.
    func post(bearer: String, player: String = "", from address: String = "203.0.113.1") async -> Answer {
        let fields = player.isEmpty ? "" : #", "external": "\#(player)""#
        return await send(
            .put, "/v1/games/default/boards/lap/scores/\(Self.newID())", #"{"points": 5\#(fields)}"#, bearer: bearer,
            from: address)
    }

    /// Saves text in the slot `journey`.
    /// - Parameter expected: The slot's current text; nil if it is empty.
    func save(_ text: String, after expected: String? = nil, bearer: String, from address: String = "203.0.113.1") async
        -> Answer
    {
        let etag = expected.map { SaveETag(of: Array($0.utf8)).text }
        return await send(
            .put, "/v1/players/me/saves/journey", text, bearer: bearer, from: address,
            headers: etag.map { ["If-Match": $0] } ?? ["If-None-Match": "*"])
    }

    /// The id of a token's player.
    func id(bearer: String) async throws -> Int64 {
        struct Me: Decodable { let id: Int64 }
        let me = await send(.get, "/v1/players/me", bearer: bearer)
        return try JSONDecoder().decode(Me.self, from: Data(me.text.utf8)).id
    }

    /// A code of a player: `codes` for a join code, or `recovery`.
    func code(_ kind: String = "codes", bearer: String) async throws -> String {
        let answer = await send(.post, "/v1/players/me/\(kind)", bearer: bearer, from: "198.51.100.1")
        struct Code: Decodable { let code: String }
        return try JSONDecoder().decode(Code.self, from: Data(answer.text.utf8)).code
    }

    /// Registers a new device with a code.
    func join(_ code: String, from address: String = "203.0.113.1") async -> Answer {
        await send(.put, "/v1/games/default/devices/\(Self.newID())", #"{"code": "\#(code)"}"#, from: address)
    }

    static func newID() -> String {
        var dice = SystemRandomNumberGenerator()
        let hex = Hex.text((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &dice) })
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(Array(hex)[$0]) }.joined(separator: "-")
    }

    /// A key of the game `default`.
    func key() async throws -> String {
        let key = Token.generated(.game)
        let (outcome, _) = try await store.admin.addKey(key.hash, name: .of("key"), to: .defaultGame, now: .noon)
        #expect(outcome == .added)
        return key.text
    }

    /// An operator's key.
    func operatorsKey(_ scopes: [String] = ["read"]) async throws -> String {
        let key = Token.generated(.admin)
        let scopes = try KeyScopes(scopes, of: .admin, field: "scopes")
        let new = NewKey(id: UUID(), game: nil, hash: key.hash, name: .of("ops"), scopes: scopes)
        let (outcome, _) = try await store.admin.addKey(new, now: .noon)
        #expect(outcome == .added)
        return key.text
    }

    struct Answer {
        let status: Int
        let text: String
        let retryAfter: Int?
        /// The cookie that it sets, without its attributes.
        let cookie: String?

        init(_ response: HTTPServer.Response) {
            status = response.status.code
            text = String(buffer: response.body)
            retryAfter = response.headers[.retryAfter].flatMap { Int($0) }
            let set = response.headers.first { $0.name.canonicalName == "set-cookie" }
            cookie = set?.value.split(separator: ";").first.map(String.init)
        }

        /// Whether it is the refusal of this limit.
        func isOver(_ limit: String) -> Bool {
            status == 429 && retryAfter != nil && text.contains(#""type":"/problems/rate-limited""#)
                && text.contains(#""limit":"\#(limit)""#)
        }
    }
}
