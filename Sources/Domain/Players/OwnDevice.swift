/// A device that speaks for a player, as the player sees it.
package struct OwnDevice: Sendable, Equatable {
    package let hash: DeviceHash
    /// What the player calls it; nil when it has no name.
    package let name: String?
    /// When it came to the player.
    package let joinedAt: Instant
    /// The day in UTC on which it registered last, or got a token; nil when that is not known.
    package let seenOn: Day?
    /// Whether it is the one that asks.
    package let isThis: Bool
    /// Nil for a device that registered by itself.
    package let cameBy: CameBy?

    /// How a device joined its player.
    package enum CameBy: String, Sendable {
        /// With a code that a device of the player asked for.
        case code
        case recovery
        /// With a code that an operator asked for.
        case `operator`
        /// It joined by a sign-in.
        case signIn = "sign-in"
        /// Its player was merged into this one.
        case merge
    }

    package init(hash: DeviceHash, name: String?, joinedAt: Instant, seenOn: Day?, isThis: Bool, cameBy: CameBy? = nil)
    {
        self.hash = hash
        self.name = name
        self.joinedAt = joinedAt
        self.seenOn = seenOn
        self.isThis = isThis
        self.cameBy = cameBy
    }
}
