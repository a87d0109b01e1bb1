/// A tie between a player and another one, as the player sees it.
package struct OwnTie: Sendable, Equatable {
    package enum List: String, Sendable, CaseIterable {
        case friend
        /// The other has sent a friend request.
        case asked
        /// The player has sent a friend request.
        case asking
        case blocked
    }

    package let list: List
    package let other: PublicProfile
    package let at: Instant

    package init(list: List, other: PublicProfile, at: Instant) { (self.list, self.other, self.at) = (list, other, at) }
}
