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
    package internal(set) var rollups: [RollupChange] = []
    package internal(set) var players: [PlayerChange] = []
    /// Boards that have come to be.
    package internal(set) var boards: [FollowedBoard] = []
    /// A board or a charity is another than before.
    package internal(set) var invalidatesBoards = false
    /// What batches wrote into the log.
    package internal(set) var markers: [String] = []
    /// A whole table was emptied, or more rows changed than are worth telling.
    package internal(set) var isReset = false
    /// How much more of the log there was when this came, in bytes.
    package internal(set) var bytesBehind: UInt64 = 0

    init(position: UInt64) {
        self.position = position
    }
}

/// What became of one row of a rollup, as the stream tells it.
package struct RollupChange: Sendable {
    /// What a rollup says of a player.
    package struct Value: Sendable, Equatable {
        package let points: Int64
        package let reachedAt: Instant

        package init(points: Int64, reachedAt: Instant) {
            self.points = points
            self.reachedAt = reachedAt
        }
    }

    package let board: Board.ID
    /// Nil for all time of the season.
    package let day: Day?
    /// The player's id, negative for what the player gave anonymously.
    package let row: Int64
    /// Nil when there was none, and for all time, where nobody needs it.
    package let old: Value?
    /// Nil when there is none any more.
    package let new: Value?

    package init(board: Board.ID, day: Day?, row: Int64, old: Value?, new: Value?) {
        self.board = board
        self.day = day
        self.row = row
        self.old = old
        self.new = new
    }
}

/// A board whose rows are kept in order somewhere else, and how it orders them.
package struct FollowedBoard: Sendable {
    package let id: Board.ID
    package let policy: Board.Policy
    package let lowestFirst: Bool
    /// Ranks by what was given, not by what was played.
    package let isGiving: Bool

    package init(id: Board.ID, policy: Board.Policy, lowestFirst: Bool, isGiving: Bool) {
        self.id = id
        self.policy = policy
        self.lowestFirst = lowestFirst
        self.isGiving = isGiving
    }
}
