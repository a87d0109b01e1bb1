/// A row of a ranking of players.
package struct Standing: Sendable, Equatable {
    /// Nil in the row of what somebody gave anonymously.
    package let player: Player.ID?
    package let name: String
    package let avatar: AvatarHash?
    /// Wider than 64 bits: sums across days or players may pass them.
    package let points: Int128
    package let reachedAt: Instant
    package let place: Place

    /// - Parameters:
    ///   - row: The player's id, or its negative for what the player gave anonymously: then the name and the picture stay out.
    ///   - orderKey: Points as the board orders them.
    package init(row: Int64, name: String, avatar: AvatarHash?, points: Int128, reachedAt: Instant, orderKey: Int128) {
        let isAnonymous = row < 0
        self.player = isAnonymous ? nil : Player.ID(rawValue: row)
        self.name = isAnonymous ? Self.anonymousName : name
        self.avatar = isAnonymous ? nil : avatar
        self.points = points
        self.reachedAt = reachedAt
        self.place = Place(orderKey: orderKey, reachedAt: reachedAt, row: row)
    }

    /// What nobody else may be called.
    package static let anonymousName = "Anonymous"
}
