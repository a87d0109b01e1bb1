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

    package init(hash: DeviceHash, name: String?, joinedAt: Instant, seenOn: Day?, isThis: Bool) {
        self.hash = hash
        self.name = name
        self.joinedAt = joinedAt
        self.seenOn = seenOn
        self.isThis = isThis
    }
}
