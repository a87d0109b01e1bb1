import Crypto
package import Domain

/// What a device gives a sign-in provider to put into the ID token, so that the token is good for this device alone: 8
/// bytes of a time and 16 of a keyed hash, in base64url. Nothing is stored for it.
package struct SignInNonce: Sendable, Hashable {
    package let text: String

    fileprivate init(text: String) { self.text = text }

    /// Whether an ID token's claim names this nonce: by its text, or by the SHA-256 of its text in hex or base64url, as
    /// libraries of Apple's sign-in do.
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

/// Why a text is no nonce that a device may sign in with.
package enum SignInNonceRefusal: Error, Equatable {
    /// The server did not make it for the device's token.
    case foreign
    /// It is older than ``Limits/signInNonceSeconds``.
    case expired
}

extension Secret {
    /// A nonce for the device that has a token, which may be one that no player has yet.
    package func signInNonce(for token: TokenHash, at now: Instant) -> SignInNonce {
        signInNonce(for: token, second: now.microsecondsSince1970 / 1_000_000)
    }

    /// When a nonce that is made now ends.
    package static func signInNonceEnd(at now: Instant) -> Instant {
        now.advanced(bySeconds: Limits.signInNonceSeconds)
    }

    /// Reads a nonce that a device with this token sends.
    package func signInNonce(_ text: String, of token: TokenHash, at now: Instant) throws(SignInNonceRefusal)
        -> SignInNonce
    {
        guard text.utf8.count == Self.nonceTextBytes, let bytes = base64URLDecoded(text.utf8) else { throw .foreign }
        let second = bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let made = signInNonce(for: token, second: second)
        // All bytes are compared, whichever differ, so that the time it takes tells nothing about them.
        let difference = zip(made.text.utf8, text.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
        guard difference == 0 else { throw .foreign }
        let nowSecond = now.microsecondsSince1970 / 1_000_000
        // Another server may have made it, whose clock is ahead.
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
    ///   - issuer: The one name of the issuer, whichever spelling of it the token has.
    ///   - subject: The issuer's id of the player.
    package func hash(ofIdentity subject: String, at issuer: String, in game: Slug) -> IdentityHash {
        var code = HMAC<SHA256>(key: identityKey)
        // Each text is preceded by its length, so that no two triples run together to the same bytes.
        for text in [game.description, issuer, subject] {
            let count = UInt32(clamping: text.utf8.count)
            code.update(data: stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) })
            code.update(data: Array(text.utf8))
        }
        return IdentityHash(bytes: Array(code.finalize()))
    }
}

extension Limits {
    /// Seconds for which a nonce of a sign-in is good.
    package static let signInNonceSeconds: Int64 = 600
    /// Seconds by which the clocks of a sign-in provider, and of servers on one database, may differ.
    package static let clockSkewSeconds: Int64 = 60
}
