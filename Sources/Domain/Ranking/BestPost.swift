/// A single score as a feed of posts shows it, with the name that came with it.
package struct Post: Sendable, Equatable {
    package let player: Player.ID
    package let name: String
    package let avatar: AvatarHash?
    package let points: Int64
    package let reachedAt: Instant

    package init(player: Player.ID, name: String, avatar: AvatarHash?, points: Int64, reachedAt: Instant) {
        self.player = player
        self.name = name
        self.avatar = avatar
        self.points = points
        self.reachedAt = reachedAt
    }
}
