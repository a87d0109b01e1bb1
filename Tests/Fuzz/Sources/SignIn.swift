import Credentials
import Domain
import FoundationEssentials
@testable import SignIn

// The parsers of what players and sign-in providers send: ID tokens, their claims, and sets of keys.

/// The input is an ID token, or the claims of one whose signature was good.
@Sendable func checkIDToken(_ input: UnsafeRawBufferPointer) {
    if let text = text(input), let token = try? IDToken(text) {
        require(token.signature.count < text.utf8.count, "a part is shorter than the token")
        checkClaims(token.payload)
    }
    checkClaims(Array(input.prefix(Limits.idTokenBytesMax)))
}

private func checkClaims(_ payload: [UInt8]) {
    guard let claims = try? JSONDecoder().decode(Claims.self, from: Data(payload)) else { return }
    let nonce = secret.signInNonce(for: tokenHash, at: noon)
    for provider in providers {
        guard let issuer = try? Issuer(of: provider) else { continue }
        guard (try? claims.check(by: issuer, for: provider.audiences, nonce: nonce, now: noon)) != nil else { continue }
        require(claims.nonce.map { nonce.isNamed(by: $0) } == true, "an ID token names the nonce")
        require(claims.audiences.allSatisfy(provider.audiences.contains), "an ID token is for the game alone")
    }
}

/// The input is a JWK Set.
@Sendable func checkKeySet(_ input: UnsafeRawBufferPointer) {
    let bytes = Array(input)
    guard let set = try? KeySet(bytes) else { return }
    let signature = [UInt8](repeating: 0x5A, count: 256)
    for name in ["r", "e", "k"] {
        guard let key = set[name] else { continue }
        require(!key.isGood(signature, of: bytes), "nobody signs by chance")
        require(!key.isGood([], of: bytes), "no signature is no good one")
    }
}

private let noon = Instant(microsecondsSince1970: 1_795_262_400_000_000)
private let tokenHash = Token.generated(.device).hash
private let providers: [IdentityProvider] = [
    try? IdentityProvider(kind: .apple, audiences: ["game"]),
    try? IdentityProvider(kind: .google, audiences: ["game", "game.web"]),
    try? IdentityProvider(kind: .oidc, audiences: ["game"], issuer: "https://issuer.example"),
].compactMap(\.self)
