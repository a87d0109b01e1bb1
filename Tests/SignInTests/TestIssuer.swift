import Credentials
import Crypto
import CryptoExtras
import Domain
import Foundation
import Logging
import Outgoing
import Synchronization

@testable import SignIn

/// An issuer of ID tokens with one key of each kind.
struct TestIssuer {
    static let now = Instant(microsecondsSince1970: 1_795_262_400_000_000)
    /// RSA keys take long to make.
    private static let rsa = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    /// One that the issuer has not published.
    private static let strangersRSA = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    let rsa: _RSA.Signing.PrivateKey
    let strangersRSA: _RSA.Signing.PrivateKey
    let p256 = P256.Signing.PrivateKey()

    init() throws { (rsa, strangersRSA) = (try Self.rsa.get(), try Self.strangersRSA.get()) }

    // MARK: - Its keys

    /// The JWK of an RSA key.
    static func jwk(_ key: _RSA.Signing.PublicKey, kid: String = "r", more: String = "") throws -> String {
        let parts = try key.getKeyPrimitives()
        return
            #"{"kty":"RSA","kid":"\#(kid)","n":"\#(text(parts.modulus))","e":"\#(text(parts.publicExponent))"\#(more)}"#
    }

    /// The JWK of a key of P-256.
    static func jwk(_ key: P256.Signing.PublicKey, kid: String = "e", more: String = "") -> String {
        let (x, y) = (key.rawRepresentation.prefix(32), key.rawRepresentation.suffix(32))
        return #"{"kty":"EC","crv":"P-256","kid":"\#(kid)","x":"\#(text(x))","y":"\#(text(y))"\#(more)}"#
    }

    static func set(_ keys: [String]) -> String { #"{"keys":[\#(keys.joined(separator: ","))]}"# }

    func set() throws -> String {
        Self.set([
            try Self.jwk(rsa.publicKey, more: #","use":"sig","alg":"RS256""#),
            Self.jwk(p256.publicKey, more: #","use":"sig","alg":"ES256""#),
        ])
    }

    // MARK: - Its tokens

    static func text(_ bytes: some DataProtocol) -> String {
        String(decoding: base64URLEncoded(Array(bytes)), as: UTF8.self)
    }

    /// A token that is signed with RS256.
    func token(_ claims: TestClaims, header: String = #"{"alg":"RS256","kid":"r","typ":"JWT"}"#) throws -> String {
        try signed(header, claims.json) { try rsa.signature(for: SHA256.hash(data: $0), padding: .insecurePKCS1v1_5) }
    }

    /// A token that is signed with ES256.
    func tokenOfP256(_ claims: TestClaims, header: String = #"{"alg":"ES256","kid":"e"}"#) throws -> String {
        let input = Data("\(Self.text(Array(header.utf8))).\(Self.text(Array(claims.json.utf8)))".utf8)
        return String(decoding: input, as: UTF8.self) + "."
            + Self.text(try p256.signature(for: SHA256.hash(data: input)).rawRepresentation)
    }

    func signed(_ header: String, _ claims: String, by sign: (Data) throws -> _RSA.Signing.RSASignature) throws
        -> String
    {
        let input = Data("\(Self.text(Array(header.utf8))).\(Self.text(Array(claims.utf8)))".utf8)
        return String(decoding: input, as: UTF8.self) + "." + Self.text(try sign(input).rawRepresentation)
    }
}

/// The claims of a token, each as JSON; nil leaves one out.
struct TestClaims {
    var members: [String: String]

    init(nonce: String, issuer: String = "https://issuer.example", audience: String = "game") {
        let second = TestIssuer.now.microsecondsSince1970 / 1_000_000
        members = [
            "iss": "\"\(issuer)\"", "aud": "\"\(audience)\"", "sub": "\"player 1\"", "exp": "\(second + 600)",
            "iat": "\(second)", "nonce": "\"\(nonce)\"", "email": "\"ada@example.org\"",
        ]
    }

    func with(_ name: String, _ json: String?) -> TestClaims {
        var claims = self
        claims.members[name] = json
        return claims
    }

    var json: String { "{" + members.map { "\"\($0.key)\":\($0.value)" }.sorted().joined(separator: ",") + "}" }
}

/// A monotonic clock that a test sets.
final class TestClock: Sendable {
    private let begin = ContinuousClock.now
    private let elapsed = Mutex(Duration.zero)

    var now: ContinuousClock.Instant { begin + elapsed.withLock { $0 } }

    func advance(seconds: Int64) { elapsed.withLock { $0 += .seconds(seconds) } }
}

/// What issuers answer, and how often each address was asked.
final class TestAnswers: Sendable {
    private struct State {
        var answers: [String: Result<OutgoingAnswer, OutgoingError>] = [:]
        var asked: [String] = []
        var isHeld = false
        var held: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// The addresses in the order in which they were asked.
    var asked: [String] { state.withLock { $0.asked } }

    func set(_ url: String, _ body: String, cacheControl: String? = nil) {
        set(url, .success(OutgoingAnswer(body: Array(body.utf8), cacheControl: cacheControl)))
    }

    func set(_ url: String, _ result: Result<OutgoingAnswer, OutgoingError>) {
        state.withLock { $0.answers[url] = result }
    }

    /// Holds answers back until they are let go.
    func hold() { state.withLock { $0.isHeld = true } }

    func letGo() {
        let held = state.withLock { state in
            state.isHeld = false
            defer { state.held = [] }
            return state.held
        }
        for waiter in held { waiter.resume() }
    }

    @Sendable func answer(_ url: OutgoingURL) async throws(OutgoingError) -> OutgoingAnswer {
        state.withLock { $0.asked.append("\(url)") }
        await withCheckedContinuation { waiter in
            let isHeld = state.withLock { state in
                if state.isHeld { state.held.append(waiter) }
                return state.isHeld
            }
            if !isHeld { waiter.resume() }
        }
        guard let result = state.withLock({ $0.answers["\(url)"] }) else { throw .unreachable }
        return try result.get()
    }

    func keys(clock: TestClock = TestClock()) -> IssuerKeys {
        IssuerKeys(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { clock.now }, fetch: answer)
    }
}

/// Runs the service while `body` runs.
func running<Value: Sendable>(_ keys: IssuerKeys, _ body: @escaping @Sendable () async throws -> Value) async throws
    -> Value
{
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask {
            await keys.run()
            return nil
        }
        defer { group.cancelAll() }
        return try await body()
    }
}

/// Waits until a condition holds, at most two minutes: hundreds of tests run beside this one.
func until(_ condition: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(120)
    while !condition() {
        guard .now < deadline else { throw NeverHeld() }
        try await Task.sleep(for: .milliseconds(2))
    }
}

struct NeverHeld: Error {}
