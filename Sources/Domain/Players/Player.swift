/// A player of one game.
package struct Player: Sendable, Equatable {
    /// A random number, so it reveals no count and cannot be enumerated: 1 to 2^31-1 in the `default` game, up to
    /// ``Limits/newPlayerIDMax`` elsewhere.
    package struct ID: RawRepresentable, Sendable, Hashable, Comparable {
        package let rawValue: Int64
        package init(rawValue: Int64) { self.rawValue = rawValue }
        /// Nil unless the text is ASCII digits of a number in the range of player ids.
        package init?(digits text: Substring) {
            guard let value = Int64(digits: text), (1...Limits.playerIDMax).contains(value) else { return nil }
            self.rawValue = value
        }
        package static func < (one: ID, other: ID) -> Bool { one.rawValue < other.rawValue }
    }

    package let id: ID
    package let name: String
    package let wantsUpdates: Bool
    package let avatar: AvatarHash?

    package init(id: ID, name: String, wantsUpdates: Bool, avatar: AvatarHash?) {
        self.id = id
        self.name = name
        self.wantsUpdates = wantsUpdates
        self.avatar = avatar
    }
}

/// What rankings show of a player besides the points.
package struct PlayerSummary: Sendable, Equatable {
    package let player: Player.ID
    package let name: String
    package let avatar: AvatarHash?
    /// Nil unless the player shows one, and its game lets it.
    package let flag: CountryFlag?

    package init(player: Player.ID, name: String, avatar: AvatarHash?, flag: CountryFlag? = nil) {
        self.player = player
        self.name = name
        self.avatar = avatar
        self.flag = flag
    }
}

/// The SHA-256 of a stored 40x40 PNG, which identifies the picture everywhere.
package struct AvatarHash: Sendable, Hashable {
    /// 32 bytes.
    package let bytes: [UInt8]

    /// Nil unless there are exactly 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Nil unless the text is 64 hex digits, in either case.
    package init?(hex: some StringProtocol) {
        guard let bytes = Hex.bytes(hex) else { return nil }
        self.init(bytes: bytes)
    }

    package var hex: String { Hex.text(bytes) }
}
