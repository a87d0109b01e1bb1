import Crypto
package import Domain

/// A nonce that binds an ID token to one device: 8 bytes of a time and 16 of a keyed hash, in base64url. The server
/// stores nothing for it.
package struct SignInNonce: Sendable, Hashable {
    package let text: String

    fileprivate init(text: String) { self.text = text }

    /// Whether the `nonce` claim of an ID token is this nonce, or its SHA-256 in hex or base64url, which libraries for
    /// Sign in with Apple send.
    package func isNamed(by claim: String) -> Bool {
        guard claim.utf8.count <= Self.claimBytesMax else { return false }
        let digest = SHA256.hash(data: Array(text.utf8)).withUnsafeBytes { Array($0) }
        let digits = Hex.bytes(claim)
        return claim.utf8.elementsEqual(text.utf8) || digits == digest
            || claim.utf8.elementsEqual(base64URLEncoded(digest))
    }

    /// Hex is the longest form.
    private static let claimBytesMax = 64
}

/// Why a nonce is refused.
package enum SignInNonceRefusal: Error, Equatable {
    /// The server did not make it for the device's token.
    case foreign
    /// It is older than ``Limits/signInNonceSeconds``.
    case expired
}

extension Secret {
    /// Makes a nonce for the device of a token. The token may have no player yet.
    package func signInNonce(for token: TokenHash, at now: Instant) -> SignInNonce {
        signInNonce(for: token, second: now.microsecondsSince1970 / 1_000_000)
    }

    /// When a nonce made now expires.
    package static func signInNonceEnd(at now: Instant) -> Instant {
        now.advanced(bySeconds: Limits.signInNonceSeconds)
    }

    /// Checks a nonce sent by the device of a token.
    package func signInNonce(_ text: String, of token: TokenHash, at now: Instant) throws(SignInNonceRefusal)
        -> SignInNonce
    {
        guard text.utf8.count == Self.nonceTextBytes, let bytes = base64URLDecoded(text.utf8) else { throw .foreign }
        let second = bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let made = signInNonce(for: token, second: second)
        // Compares all bytes, so that the time reveals nothing about them.
        let difference = zip(made.text.utf8, text.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
        guard difference == 0 else { throw .foreign }
        let nowSecond = now.microsecondsSince1970 / 1_000_000
        // Another server, whose clock is ahead, may have made it.
        guard second <= nowSecond + Limits.clockSkewSeconds else { throw .foreign }
        guard nowSecond - second < Limits.signInNonceSeconds else { throw .expired }
        return made
    }

    private func signInNonce(for token: TokenHash, second: Int64) -> SignInNonce {
        let time = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: second >> Int64($0)) }
        let code = HMAC<SHA256>.authenticationCode(for: token.bytes + time, using: signInKey)
        return SignInNonce(text: String(decoding: base64URLEncoded(time + Array(code.prefix(16))), as: UTF8.self))
    }

    /// 24 bytes in base64.
    private static let nonceTextBytes = 32

    /// The keyed hash under which a player's identity is stored. It includes the game, so that nobody who reads the
    /// database can tell that players of two games are one person.
    /// - Parameters:
    ///   - issuer: The issuer's canonical name, whichever spelling the token has.
    ///   - subject: The issuer's id of the player.
    package func hash(ofIdentity subject: String, at issuer: String, in game: Slug) -> IdentityHash {
        var code = HMAC<SHA256>(key: identityKey)
        // Each text is preceded by its length, so that different triples never give the same bytes.
        for text in [game.description, issuer, subject] {
            let count = UInt32(clamping: text.utf8.count)
            code.update(data: stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) })
            code.update(data: Array(text.utf8))
        }
        return IdentityHash(bytes: Array(code.finalize()))
    }
}

extension Limits {
    /// Lifetime of a sign-in nonce, in seconds.
    package static let signInNonceSeconds: Int64 = 600
    /// Seconds by which the clocks of a sign-in provider, and of servers on one database, may differ.
    package static let clockSkewSeconds: Int64 = 60
}
