/// What a player and another one say of each other, as the player is told.
package struct OwnTie: Sendable, Equatable {
    package enum List: String, Sendable {
        case friend
        /// The other asks.
        case asked
        /// The player asks.
        case asking
        case blocked
    }

    package let list: List
    package let other: PublicProfile
    package let at: Instant

    package init(list: List, other: PublicProfile, at: Instant) { (self.list, self.other, self.at) = (list, other, at) }
}
