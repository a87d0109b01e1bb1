import Crypto
package import Domain
import FoundationEssentials

/// A secret that a v1 caller shows: 32 random bytes, printed as `cbd_` (a device's) or `cbk_` (a game's key) and 43 characters of base64url.
package struct Token: Sendable {
    package enum Kind: String, Sendable {
        case device = "cbd_"
        case game = "cbk_"
    }

    package let kind: Kind
    private let bytes: [UInt8]

    /// A new one, from the system's random numbers.
    package static func generated(_ kind: Kind) -> Token {
        var dice = SystemRandomNumberGenerator()
        return Token(kind: kind, bytes: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &dice) })
    }

    private init(kind: Kind, bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }

    /// Nil unless the text is a token in the one form that it is printed in.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 47, let kind = Kind(rawValue: String(text.prefix(4))) else { return nil }
        let base64 = text.dropFirst(4).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 == "+" || $0 == "/" ? "!" : $0 }
        guard let data = Data(base64Encoded: String(base64) + "="), data.count == 32 else { return nil }
        self.init(kind: kind, bytes: Array(data))
        guard self.text == text else { return nil }
    }

    package var text: String {
        let base64 = Data(bytes).base64EncodedString().dropLast()  // 32 bytes end in one =
        return kind.rawValue + String(base64.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    /// What the database holds: of 256 random bits a plain hash tells nothing.
    package var hash: TokenHash { TokenHash(bytes: Array(SHA256.hash(data: bytes))) }
}

extension Credential {
    /// Of an `Authorization` header; nil unless it is `Bearer` and a token.
    package init?(authorization header: String) {
        guard header.utf8.count <= 64 else { return nil }
        let parts = header.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer", let token = Token(parts[1]) else { return nil }
        switch token.kind {
        case .device: self = .player(token.hash)
        case .game: self = .game(token.hash)
        }
    }
}
