package import Domain

/// What one commit changed of what rankings show.
package struct CommittedChanges: Sendable {
    package struct PlayerChange: Sendable {
        package let player: Int64
        package let isHidden: Bool
    }

    /// Of the commit's record in the log.
    package let position: UInt64
    /// By the database's clock.
    package internal(set) var committedAt = Instant(microsecondsSince1970: 0)
    /// In their order.
    package internal(set) var lines: [LineChange] = []
    package internal(set) var players: [PlayerChange] = []
    /// Boards that have come to be.
    package internal(set) var boards: [FollowedBoard] = []
    /// A board or a charity is another than before.
    package internal(set) var changesCatalogue = false
    /// What batches wrote into the log.
    package internal(set) var tokens: [String] = []
    /// A whole table was emptied, or more rows changed than are worth telling.
    package internal(set) var isReset = false
    /// How much more of the log there was when this came, in bytes.
    package internal(set) var bytesBehind: UInt64 = 0

    init(position: UInt64) {
        self.position = position
    }
}
