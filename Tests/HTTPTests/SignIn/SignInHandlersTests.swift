import Credentials
import Crypto
import Domain
import Foundation
import HTTPTypes
import Leaderboard
import Logging
import NIOCore
import NIOHTTP1
import Outgoing
import SignIn
import Storage
import Synchronization
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

/// Signing in on devices, from the nonce to the player, with an issuer of the test's own.
@Suite struct SignInHandlersTests {
    private static let noon = Instant(microsecondsSince1970: 1_795_262_400_000_000)

    /// An issuer of ID tokens.
    private struct Issuer {
        let key = P256.Signing.PrivateKey()

        var keys: String {
            let raw = key.publicKey.rawRepresentation
            return """
                {"keys":[{"kty":"EC","crv":"P-256","kid":"k","x":"\(Self.text(raw.prefix(32)))",\
                "y":"\(Self.text(raw.suffix(32)))"}]}
                """
        }

        func token(_ subject: String, nonce: String, at now: Instant) throws -> String {
            let second = now.microsecondsSince1970 / 1_000_000
            let claims = """
                {"iss":"https://issuer.example","aud":"game","sub":"\(subject)","exp":\(second + 600),\
                "iat":\(second),"nonce":"\(nonce)"}
                """
            let input = Data(
                "\(Self.text(Data(#"{"alg":"ES256","kid":"k"}"#.utf8))).\(Self.text(Data(claims.utf8)))".utf8)
            let signature = try key.signature(for: SHA256.hash(data: input)).rawRepresentation
            return String(decoding: input, as: UTF8.self) + "." + Self.text(signature)
        }

        private static func text(_ bytes: Data) -> String {
            String(decoding: base64URLEncoded(Array(bytes)), as: UTF8.self)
        }
    }

    /// A device with a token of its own.
    private struct Device {
        let label: String
        let token = Token.generated(.device)

        var path: String { "/v1/games/maze/devices/\(label)" }
    }

    private final class Server: Sendable {
        let database: TestDatabase
        let issuer = Issuer()
        let responder: Responder
        private let now = SharedValue(SignInHandlersTests.noon)
        /// Whether the issuer answers nobody.
        private let isAway = SharedValue(false)

        init(_ database: TestDatabase) {
            self.database = database
            let (now, isAway, keys) = (now, isAway, issuer.keys)
            responder = Exchange.responder(
                database.store, database.secret, clock: ServerClock { now.value },
                issuers: IssuerKeys(logger: .none) { url throws(OutgoingError) in
                    guard !isAway.value, "\(url)" == "https://issuer.example/keys" else { throw .unreachable }
                    return OutgoingAnswer(body: Array(keys.utf8))
                })
        }

        func wait(seconds: Int64) { now.value = now.value.advanced(bySeconds: seconds) }
        func leave() { isAway.value = true }

        func send(_ method: HTTPRequest.Method, _ path: String, _ body: String = "", by token: Token?) async -> Response
        {
            var fields: [(String, String)] = []
            if let token { fields.append(("authorization", "Bearer \(token.text)")) }
            return await responder.respond(
                to: Request(
                    method: method, target: path, headers: RequestHeaders(.init(fields)), body: ByteBuffer(string: body)
                ))
        }

        /// A new key of the game.
        func addKey(scopes: [String]) async throws -> Token {
            let token = Token.generated(.game)
            let key = NewKey(
                id: UUID(), game: Slug.of("maze"), hash: token.hash, name: DisplayName.of("server"),
                scopes: try KeyScopes(scopes, of: .game, field: "scopes"))
            #expect(try await database.store.admin.addKey(key, now: SignInHandlersTests.noon).0 == .added)
            return token
        }

        func nonce(_ device: Device) async throws -> String {
            let response = await send(.post, "/v1/games/maze/sign-ins", by: device.token)
            #expect(response.status == .ok)
            return try #require(response.json["nonce"] as? String)
        }

        /// The field `identity` of a sign-in on a device.
        func identity(_ subject: String, on device: Device, nonceOf other: Device? = nil) async throws -> String {
            let nonce = try await nonce(other ?? device)
            return
                #"{"provider":"shop","nonce":"\#(nonce)","token":"\#(try issuer.token(subject, nonce: nonce, at: now.value))"}"#
        }

        func signIn(_ subject: String, on device: Device, more: String = "") async throws -> Response {
            let identity = try await identity(subject, on: device)
            return await send(.put, device.path, #"{"name":"Ada","identity":\#(identity)\#(more)}"#, by: device.token)
        }
    }

    private func withServer(_ body: @escaping @Sendable (Server) async throws -> Void) async throws {
        try await withTestDatabase { database in
            let game = Slug.of("maze")
            _ = try await database.addGame("maze")
            try await database.addBoard("lap", in: game)
            let provider = try IdentityProvider(
                kind: .oidc, audiences: ["game"], issuer: "https://issuer.example", keys: "https://issuer.example/keys")
            #expect(
                try await database.store.admin.addProvider(Slug.of("shop"), provider, in: game, now: Self.noon)
                    == .added)
            let server = Server(database)
            try await withThrowingTaskGroup(of: Void.self) { services in
                services.addTask { await server.responder.issuers.run() }
                services.addTask { await server.responder.handlers.ledger.writeBatcher.run() }
                defer { services.cancelAll() }
                try await body(server)
            }
        }
    }

    @Test("a nonce is for a device's token, which may be of nobody yet, where the game has a provider") func nonces()
        async throws
    {
        try await withServer { server in
            let device = Device(label: "phone")
            let response = await server.send(.post, "/v1/games/maze/sign-ins", by: device.token)
            #expect(response.status == .ok && response.headers[.cacheControl] == "private, no-store")
            #expect(
                response.json["nonce"] as? String
                    == server.database.secret.signInNonce(for: device.token.hash, at: Self.noon).text)
            #expect(response.json["expires_at"] as? String == "2026-11-21T12:10:00.000000Z")
            #expect(await server.send(.post, "/v1/games/maze/sign-ins", by: nil).status == .unauthorized)
            #expect(
                await server.send(.post, "/v1/games/maze/sign-ins", by: Token.generated(.game)).status == .forbidden)
            _ = try await server.database.addGame("quiz")
            #expect(await server.send(.post, "/v1/games/quiz/sign-ins", by: device.token).status == .notFound)
            #expect(await server.send(.post, "/v1/games/none/sign-ins", by: device.token).status == .notFound)
        }
    }

    @Test("who signs in on a second device is the same player") func secondDevice() async throws {
        try await withServer { server in
            let (phone, pad) = (Device(label: "phone"), Device(label: "pad"))
            let first = try await server.signIn("1", on: phone)
            #expect(first.status == .created)
            let player = try #require(first.player)
            let linked = await server.send(.get, "/v1/players/me/identities", by: phone.token)
            #expect(
                String(buffer: linked.body) == """
                    {"identities":[{"provider":"shop","linked_at":"2026-11-21T12:00:00.000000Z",\
                    "used_on":"2026-11-21"}]}

                    """)
            let second = try await server.signIn("1", on: pad)
            #expect(second.status == .created && second.player == player)
            let again = try await server.signIn("1", on: pad)
            #expect(again.status == .ok && again.player == player && again.headers[.idempotentReplayed] == "true")
            #expect(try await server.signIn("2", on: Device(label: "tv")).player != player)
            let devices = await server.send(.get, "/v1/players/me/devices", by: phone.token)
            #expect(String(buffer: devices.body).contains(#""joined_by":"sign-in""#))
        }
    }

    @Test("a stolen ID token is of no use on another device, nor later") func stolen() async throws {
        try await withServer { server in
            let (phone, thief) = (Device(label: "phone"), Device(label: "thief"))
            _ = try await server.signIn("1", on: phone)
            // With the owner's nonce, and with one of the thief's own.
            let stolen = try await server.identity("1", on: thief, nonceOf: phone)
            let own = try await server.nonce(thief)
            let token = try server.issuer.token("1", nonce: try await server.nonce(phone), at: Self.noon)
            for identity in [stolen, #"{"provider":"shop","nonce":"\#(own)","token":"\#(token)"}"#] {
                let response = await server.send(
                    .put, thief.path, #"{"name":"Eve","identity":\#(identity)}"#, by: thief.token)
                #expect(response.status == .unauthorized && response.problem == "identity-refused")
                #expect(response.headers[.wwwAuthenticate] == "Bearer")
            }
            let late = try await server.identity("1", on: thief)
            server.wait(seconds: 600)
            let response = await server.send(.put, thief.path, #"{"identity":\#(late)}"#, by: thief.token)
            #expect(response.problem == "identity-refused")
            #expect(try await server.database.owner.ask("select count(*) from device") == ["1"])
        }
    }

    @Test("what is no sign-in says what to change") func fields() async throws {
        try await withServer { server in
            let device = Device(label: "phone")
            let identity = try await server.identity("1", on: device)
            for (body, field) in [
                (#"{"name":"Ada","code":"7K3MP2QX","identity":\#(identity)}"#, "identity"),
                (#"{"name":"Ada","identity":"x"}"#, "identity"), (#"{"name":"Ada","identity":{}}"#, "provider"),
                (#"{"name":"Ada","identity":{"provider":"none","nonce":"x","token":"y"}}"#, nil),
                (#"{"name":"Ada","identity":{"provider":"shop","token":"y"}}"#, "nonce"),
                (#"{"name":"Ada","identity":{"provider":"shop","nonce":"x"}}"#, "token"),
            ] as [(String, String?)] {
                let response = await server.send(.put, device.path, body, by: device.token)
                #expect(response.status == (field == nil ? .unauthorized : .unprocessableContent), "\(body)")
                #expect(response.json["field"] as? String == field, "\(body)")
            }
            let bare = await server.send(.put, device.path, #"{"name":"Ada","identity":\#(identity)}"#, by: nil)
            #expect(bare.json["field"] as? String == "identity")
            let nonce = try await server.nonce(device)
            let unknown = #"{"provider":"none","nonce":"\#(nonce)","token":"y"}"#
            let response = await server.send(.put, device.path, #"{"identity":\#(unknown)}"#, by: device.token)
            #expect(response.json["field"] as? String == "provider")
            #expect(try await server.database.owner.ask("select count(*) from device") == ["0"])
        }
    }

    @Test("an issuer that is away is told with a time") func away() async throws {
        try await withServer { server in
            server.leave()
            let response = try await server.signIn("1", on: Device(label: "phone"))
            #expect(response.status == .serviceUnavailable && response.problem == "issuer-away")
            #expect(response.headers[.retryAfter].flatMap { Int($0) }.map { (1...11).contains($0) } == true)
        }
    }

    @Test("a player links, lists and unlinks identities, and a new device does neither") func linking() async throws {
        try await withServer { server in
            let (phone, other) = (Device(label: "phone"), Device(label: "other"))
            for device in [phone, other] {
                #expect(await server.send(.put, device.path, #"{"name":"P"}"#, by: device.token).status == .created)
            }
            let path = "/v1/players/me/identities/shop"
            func link(_ subject: String, on device: Device) async throws -> Response {
                await server.send(.put, path, try await server.identity(subject, on: device), by: device.token)
            }
            #expect(try await link("1", on: phone).status == .created)
            let again = try await link("1", on: phone)
            #expect(again.status == .ok && again.headers[.idempotentReplayed] == "true")
            #expect(try await link("1", on: other).problem == "identity-taken")
            #expect(try await link("2", on: phone).problem == "identity-taken")
            let nowhere = await server.send(
                .put, "/v1/players/me/identities/none", try await server.identity("1", on: phone), by: phone.token)
            #expect(nowhere.status == .notFound)

            let pad = Device(label: "pad")
            server.wait(seconds: 1)
            #expect(try await server.signIn("1", on: pad).status == .created)
            #expect(try await link("3", on: pad).problem == "device-too-new")
            #expect(await server.send(.delete, path, by: pad.token).problem == "device-too-new")
            server.wait(seconds: 86_400)
            #expect(await server.send(.delete, path, by: pad.token).status == .noContent)
            #expect(await server.send(.delete, path, by: pad.token).status == .noContent)
            #expect(try await link("1", on: other).status == .created)
            #expect(await server.send(.get, "/v1/players/me/identities", by: nil).status == .unauthorized)
        }
    }

    @Test("a device with a history joins by a sign-in only when both players shall be one") func histories()
        async throws
    {
        try await withServer { server in
            let (phone, pad) = (Device(label: "phone"), Device(label: "pad"))
            let player = try await server.signIn("1", on: phone).player
            #expect(await server.send(.put, pad.path, #"{"name":"Bo"}"#, by: pad.token).status == .created)
            let score = "/v1/games/maze/boards/lap/scores/0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e"
            #expect(await server.send(.put, score, #"{"points":5}"#, by: pad.token).status == .created)
            let refused = try await server.signIn("1", on: pad)
            #expect(refused.status == .conflict && refused.problem == "has-history")
            #expect(refused.json["field"] as? String == "identity")
            let merged = try await server.signIn("1", on: pad, more: #","merge":true"#)
            #expect(merged.status == .created && merged.player == player)
        }
    }

    @Test("a game's server makes a code for a player that it knows") func codes() async throws {
        try await withServer { server in
            let key = try await server.addKey(scopes: ["register"])
            #expect(
                await server.send(.put, "/v1/games/maze/players/u7", #"{"name":"Ada"}"#, by: key).status == .created)
            let made = await server.send(.post, "/v1/games/maze/players/u7/codes", by: key)
            let code = try #require(made.json["code"] as? String)
            #expect(made.status == .created && made.json["expires_at"] as? String == "2026-11-21T12:10:00.000000Z")
            let phone = Device(label: "phone")
            let joined = await server.send(.put, phone.path, #"{"code":"\#(code)"}"#, by: phone.token)
            #expect(joined.status == .created)
            let devices = await server.send(.get, "/v1/players/me/devices", by: phone.token)
            #expect(String(buffer: devices.body).contains(#""joined_by":"code""#))
            #expect(await server.send(.post, "/v1/games/maze/players/u8/codes", by: key).status == .notFound)
            #expect(await server.send(.post, "/v1/games/maze/players/u7/codes", by: phone.token).status == .forbidden)
            let poster = try await server.addKey(scopes: ["post"])
            #expect(await server.send(.post, "/v1/games/maze/players/u7/codes", by: poster).problem == "scope")
        }
    }
}

/// A value that a test and a server share.
private final class SharedValue<Value: Sendable>: Sendable {
    private let stored: Mutex<Value>

    init(_ value: Value) { stored = Mutex(value) }

    var value: Value {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}

extension Response {
    fileprivate var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: Any]) ?? [:]
    }

    fileprivate var player: Int? { (json["player"] as? [String: Any])?["id"] as? Int }

    fileprivate var problem: String? {
        (json["type"] as? String).flatMap { $0.split(separator: "/").last.map(String.init) }
    }
}
