/// A player's row of a ranking.
package struct Standing: Sendable, Equatable {
    package let player: Player.ID
    package let name: String
    package let avatar: AvatarHash?
    /// Wider than 64 bits: sums across days or players may pass them.
    package let points: Int128
    package let reachedAt: Instant

    package init(player: Player.ID, name: String, avatar: AvatarHash?, points: Int128, reachedAt: Instant) {
        self.player = player
        self.name = name
        self.avatar = avatar
        self.points = points
        self.reachedAt = reachedAt
    }
}
