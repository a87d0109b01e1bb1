import Crypto
package import Domain
import FoundationEssentials

/// A bearer token: 32 random bytes, printed as `cbd_` (a device's token), `cbk_` (a game's key) or `cba_` (an
/// operator's key) and 43 characters of base64url.
package struct Token: Sendable {
    package enum Kind: String, Sendable {
        case device = "cbd_"
        case game = "cbk_"
        case admin = "cba_"
    }

    package let kind: Kind
    private let bytes: [UInt8]

    /// A new token from the system's random number generator.
    package static func generated(_ kind: Kind) -> Token {
        var dice = SystemRandomNumberGenerator()
        return Token(kind: kind, bytes: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &dice) })
    }

    private init(kind: Kind, bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }

    /// Nil unless the text is a token in exactly the form in which it is printed.
    package init?(_ text: some StringProtocol) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        // 43 letters hold 258 bits: the two bits left over must be zero, so that a token has only one form.
        var (bits, bitCount): (UInt32, Int) = (0, 0)
        let isRead = text.withBytes { letters in
            for letter in letters.dropFirst(4) {
                guard let value = Self.value(letter), bytes.count < 32 else { return false }
                bits = bits << 6 | UInt32(value)
                bitCount += 6
                guard bitCount >= 8 else { continue }
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
                bits &= (1 << UInt32(bitCount)) - 1
            }
            return true
        }
        guard isRead, bytes.count == 32, bitCount == 2, bits == 0, let kind = Kind(rawValue: String(text.prefix(4)))
        else { return nil }
        self.init(kind: kind, bytes: bytes)
    }

    package var text: String {
        let base64 = Data(bytes).base64EncodedString().dropLast()  // 32 bytes are padded with one =
        return kind.rawValue + String(base64.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    /// The value 0...63 of a letter of base64url (RFC 4648, section 5); nil for any other byte.
    private static func value(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }

    /// The SHA-256 that the database holds. A plain hash suffices, because 256 random bits cannot be guessed. That of
    /// an operator's key is also of its prefix, so that the same bytes are never a game's key.
    package var hash: TokenHash {
        let hashed = kind == .admin ? Array(kind.rawValue.utf8) + bytes : bytes
        return TokenHash(bytes: SHA256.hash(data: hashed).withUnsafeBytes { Array($0) })
    }
}

extension Credential {
    /// Reads an `Authorization` header; nil unless it is `Bearer` followed by a token.
    package init?(authorization header: String) {
        let bytes = header.utf8
        guard bytes.count <= 64, let space = bytes.firstIndex(of: UInt8(ascii: " ")),
            header[..<space].lowercased() == "bearer",
            let start = bytes[space...].firstIndex(where: { $0 != UInt8(ascii: " ") }),
            let token = Token(header[start...])
        else { return nil }
        switch token.kind {
        case .device: self = .player(token.hash)
        case .game: self = .game(token.hash)
        case .admin: self = .admin(token.hash)
        }
    }
}
