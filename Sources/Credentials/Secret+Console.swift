import Crypto
package import Domain
package import FoundationEssentials

/// What the cookie of the console holds: whose key it was made with, and until when it is good. It is sealed, and
/// nothing of it is stored: a session ends with its key, which every request looks up.
package struct ConsoleSeal: Sendable, Equatable {
    package let key: TokenHash
    /// 16 random bytes, made when the session begins. The tokens of its forms follow from them.
    package let nonce: [UInt8]
    package let expiresAt: Instant

    /// - Parameter nonce: Exactly 16 bytes; anything else opens to nothing.
    package init(key: TokenHash, nonce: [UInt8], expiresAt: Instant) {
        (self.key, self.nonce, self.expiresAt) = (key, nonce, expiresAt)
    }

    /// A new session.
    package init(key: TokenHash, expiresAt: Instant) {
        var dice = SystemRandomNumberGenerator()
        let nonce = (0..<Self.nonceBytes).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
        self.init(key: key, nonce: nonce, expiresAt: expiresAt)
    }

    static let nonceBytes = 16
}

extension Secret {
    /// The value of the cookie.
    package func consoleCookie(_ session: ConsoleSeal) -> String? {
        let end = session.expiresAt.microsecondsSince1970
        let bytes = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: end >> Int64($0)) }
        return sealed(session.key.bytes + session.nonce + bytes, for: .console)
    }

    /// What a cookie holds; nil for a text that this secret did not seal for it.
    package func consoleSession(_ cookie: String) -> ConsoleSeal? {
        guard let bytes = opened(cookie, for: .console), bytes.count == 32 + ConsoleSeal.nonceBytes + 8 else {
            return nil
        }
        let end = bytes.suffix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return ConsoleSeal(
            key: TokenHash(bytes: Array(bytes.prefix(32))), nonce: Array(bytes[32..<32 + ConsoleSeal.nonceBytes]),
            expiresAt: Instant(microsecondsSince1970: end))
    }

    /// The token of a form, which belongs to one session and to one id: that of the action, or of what else it does.
    package func formToken(_ session: ConsoleSeal, _ id: UUID) -> String {
        Hex.text(Array(HMAC<SHA256>.authenticationCode(for: Self.formBytes(session, id), using: formKey)))
    }

    package func isFormToken(_ text: String, _ session: ConsoleSeal, _ id: UUID) -> Bool {
        guard text.utf8.count == 64, let code = Hex.bytes(text[...]) else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Self.formBytes(session, id), using: formKey)
    }

    private static func formBytes(_ session: ConsoleSeal, _ id: UUID) -> [UInt8] {
        session.nonce + Array(id.uuidString.lowercased().utf8)
    }
}
