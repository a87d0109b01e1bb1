package import Domain

/// What one commit changed in what rankings show.
package struct CommittedChanges: Sendable {
    package struct PlayerChange: Sendable {
        package let player: Int64
        package let isHidden: Bool
        /// Whether nothing is left of it but its rows.
        package let isErased: Bool
        /// What the player chose to show.
        package let flag: CountryFlag?
    }

    package struct Merge: Sendable {
        package let player: Int64
        /// With whom the player is one; nil when it is its own again.
        package let survivor: Int64?
    }

    package struct Tie: Sendable {
        /// The player whose tie was written or deleted.
        package let player: Int64
        package let other: Int64
    }

    package struct MemberChange: Sendable {
        package let player: Int64
        /// The day from which on it is in the team.
        package let firstDay: Day
        /// Nil when it never came.
        package let team: Int64?
    }

    /// The WAL position of the commit's record, in bytes.
    package let position: UInt64
    /// The time of the commit by the database's clock.
    package internal(set) var committedAt = Instant(microsecondsSince1970: 0)
    /// Changes of rollup rows, in the order in which they happened.
    package internal(set) var rollups: [RollupChange] = []
    package internal(set) var players: [PlayerChange] = []
    /// Players who became one with another player, or parted from it.
    package internal(set) var merges: [Merge] = []
    /// Players of changed ties. The stream does not carry the new values.
    package internal(set) var ties: [Tie] = []
    /// Players who joined or left a team.
    package internal(set) var members: [MemberChange] = []
    /// Teams that were made or changed.
    package internal(set) var teams: [Int64] = []
    /// Players one of whose scores was held or voided, or no longer is. Not all of their ledger rows need be their own.
    package internal(set) var heldPlayers: Set<Int64> = []
    /// Players with a donation that was reversed, lost points that funded it, or counts again. Not all of their
    /// ledger rows need be their own.
    package internal(set) var donors: Set<Int64> = []
    /// Boards that were added.
    package internal(set) var boards: [FollowedBoard] = []
    /// Boards whose season has ended.
    package internal(set) var endedBoards: [Board.ID] = []
    /// Whether a board or a charity was added, changed or removed.
    package internal(set) var invalidatesBoards = false
    /// Whether a game was changed, so that its players may show more or less than before.
    package internal(set) var changesGames = false
    /// Whether a campaign or a milestone was added or changed.
    package internal(set) var changesCampaigns = false
    /// Whether an award was added or changed.
    package internal(set) var changesAwards = false
    /// Devices that were changed or removed, such as by another token.
    package internal(set) var devices: [DeviceHash] = []
    /// Whether a key or a game was changed or removed, or a player removed, so that nothing known of callers holds.
    package internal(set) var invalidatesCallers = false
    /// What a transaction writes into the WAL beside its commit marker when it may change the list of best posts.
    package static let bestPostsMarker = "best posts"
    /// Whether a post on the board of classic clients was added, counts or no longer counts.
    package var changesBestPosts: Bool { markers.contains(Self.bestPostsMarker) }
    /// What a repair writes into the WAL.
    static let repairMarker = "repair"
    /// Whether a repair changed rows that this list does not have, such as totals of charities.
    package var isRepair: Bool { markers.contains(Self.repairMarker) }
    /// Commit markers that batches wrote into the WAL, ``bestPostsMarker`` and ``repairMarker``.
    package internal(set) var markers: [String] = []
    /// Whether a whole table was emptied or more rows changed than `Limits.commitRowsMax`, so that everything must be
    /// loaded again. The lists of changes are incomplete then.
    package internal(set) var isReset = false
    /// The WAL bytes after this commit that were not yet read when it arrived.
    package internal(set) var bytesBehind: UInt64 = 0

    /// The most changes that the lists may hold.
    let rowsMax: Int

    init(position: UInt64, rowsMax: Int) {
        self.position = position
        self.rowsMax = rowsMax
    }
}

/// A change of one row of a rollup (`standing` or `tally`).
package struct RollupChange: Sendable {
    package let board: Board.ID
    /// The day of a tally; nil for the whole season.
    package let day: Day?
    /// The player's id, or a random negative number for an anonymous donation.
    package let row: Int64
    /// The values before the change; nil when there was no row, and for season rows, where nothing needs them.
    package let old: PointsReached?
    /// The values after the change; nil when the row was deleted.
    package let new: PointsReached?

    package init(board: Board.ID, day: Day?, row: Int64, old: PointsReached?, new: PointsReached?) {
        self.board = board
        self.day = day
        self.row = row
        self.old = old
        self.new = new
    }
}

/// A board that is followed in memory, and how it orders its rows.
package struct FollowedBoard: Sendable {
    package let id: Board.ID
    package let policy: Board.Policy
    package let lowestFirst: Bool
    /// Whether the board ranks donations instead of scores.
    package let isDonationBoard: Bool

    package init(id: Board.ID, policy: Board.Policy, lowestFirst: Bool, isDonationBoard: Bool) {
        self.id = id
        self.policy = policy
        self.lowestFirst = lowestFirst
        self.isDonationBoard = isDonationBoard
    }
}
