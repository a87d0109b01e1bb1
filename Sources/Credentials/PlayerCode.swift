import Crypto
package import Domain

/// A code that a player reads out, to be typed in on another device: random letters and digits of Crockford's base32,
/// which has no I, L, O and U.
package struct PlayerCode: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Joins a device within minutes: 40 random bits.
        case join
        /// Joins a device whenever it is needed: 130 random bits.
        case recovery
        /// Makes a player who types it in a friend: 40 random bits.
        case friend
        /// Brings a player who types it in to a team: 40 bits, derived from the team.
        case team

        package var charactersCount: Int {
            switch self {
            case .join, .friend, .team: 8
            case .recovery: 26
            }
        }
    }

    package let kind: Kind
    /// Upper case, without anything between the characters.
    package let text: String

    /// A new code from the system's random number generator.
    package static func generated(_ kind: Kind) -> PlayerCode {
        var dice = SystemRandomNumberGenerator()
        let letters = (0..<kind.charactersCount).map { _ in alphabet[Int(UInt8.random(in: 0..<32, using: &dice))] }
        return PlayerCode(kind: kind, text: String(decoding: letters, as: UTF8.self))
    }

    /// The code of a team.
    /// - Parameter bytes: 8 at least, which nobody can guess.
    fileprivate init(ofTeam bytes: some Sequence<UInt8>) {
        self.init(
            kind: .team,
            text: String(
                decoding: bytes.prefix(Kind.team.charactersCount).map { Self.alphabet[Int($0 & 31)] }, as: UTF8.self))
    }

    private init(kind: Kind, text: String) { (self.kind, self.text) = (kind, text) }

    /// Reads a code as people type it: in either case, with spaces and hyphens, and with O for 0, I and L for 1.
    /// - Parameter kinds: The kinds that are accepted; their lengths must differ.
    /// - Returns: Nil unless the text has the form of a code.
    package init?(typed text: String, kinds: [Kind] = [.join, .recovery]) {
        guard text.utf8.count <= Self.typedBytesMax else { return nil }
        var letters: [UInt8] = []
        letters.reserveCapacity(text.utf8.count)
        for byte in text.utf8 where byte != UInt8(ascii: " ") && byte != UInt8(ascii: "-") {
            guard let letter = Self.letter(byte) else { return nil }
            letters.append(letter)
        }
        guard let kind = kinds.first(where: { $0.charactersCount == letters.count }) else { return nil }
        self.init(kind: kind, text: String(decoding: letters, as: UTF8.self))
    }

    /// Twice the longest code leaves room for a space after each character.
    private static let typedBytesMax = 64

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    private static func letter(_ byte: UInt8) -> UInt8? {
        let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        let upper = isLower ? byte - (UInt8(ascii: "a") - UInt8(ascii: "A")) : byte
        return switch upper {
        case UInt8(ascii: "O"): UInt8(ascii: "0")
        case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
        default: alphabet.contains(upper) ? upper : nil
        }
    }
}

extension Secret {
    /// The keyed hash under which a code is stored. It includes the game and the kind, so a code means nothing
    /// elsewhere, and nobody who reads the database can try all codes of 40 bits.
    package func hash(of code: PlayerCode, in game: Slug) -> CodeHash {
        CodeHash(bytes: mac("\(game) \(code.kind.rawValue) \(code.text)", codeKey))
    }

    /// The code of a team, which its captain may look up again: only its hash and the time are stored.
    /// - Parameter instant: When it was made.
    package func teamCode(of team: Team.ID, madeAt instant: Instant) -> PlayerCode {
        PlayerCode(ofTeam: mac("team \(team.rawValue) \(instant.microsecondsSince1970)", codeKey))
    }

    /// What a player's devices are called on the wire: 32 hex digits, which say nothing about the device's own id.
    package func number(of device: DeviceHash) -> String {
        Hex.text(Array(HMAC<SHA256>.authenticationCode(for: device.bytes, using: deviceNumberKey)).prefix(16))
    }

    /// A keyed hash of the network that a report came from. Equal networks have equal numbers, and the database never
    /// stores the network itself.
    package func number(ofReporters network: [UInt8]) -> Int64 {
        var code = HMAC<SHA256>(key: deviceNumberKey)
        code.update(data: Array("reporters ".utf8))
        code.update(data: network)
        return code.finalize().prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }

    private func mac(_ text: String, _ key: SymmetricKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key))
    }
}
