/// What rankings show of a player beside the points.
package struct Face: Sendable, Equatable {
    package let player: Player.ID
    package let name: String
    package let avatar: AvatarHash?

    package init(player: Player.ID, name: String, avatar: AvatarHash?) {
        self.player = player
        self.name = name
        self.avatar = avatar
    }
}
