package import Domain
import Postgres
import Statements

extension Store {
    /// The best single posts of a board, best first. Each has the name that it came with, else the player's. What it
    /// reads is bounded: a long history is read once, and its best posts are noted.
    /// - Parameters:
    ///   - limitRows: 1...10.
    ///   - unreadMax: See ``Limits/bestPostsUnreadMax``.
    package func bestPosts(
        of board: Board.ID, limitRows: Int, unreadMax: Int32 = Limits.bestPostsUnreadMax, now: Instant
    ) async throws(StoreError) -> [BestPost] {
        let limit = Int32(clamping: limitRows)
        let until = now.advanced(bySeconds: -Limits.bestPostsUnnotedSeconds)
        let unread = BestPostsUnread(board: board, players: limit, posts: unreadMax, until: until)
        let (posts, players) = try await general { connection throws(PostgresError) in
            try await connection.pipeline(BestPosts(board: board, rows: limit), unread)
        }
        for player in players {
            // A note only makes the next read faster. Without it, as where the database takes no writes, all are read.
            try? await note(bestPostsOf: player, on: board, until: until)
        }
        return posts
    }

    private func note(bestPostsOf player: Player.ID, on board: Board.ID, until: Instant) async throws(StoreError) {
        try await ledger { connection throws(PostgresError) in
            try await connection.transaction { connection throws(PostgresError) in
                // A player whom somebody else has locked is noted at the next read.
                if try await connection.rows(WalletsLock(players: [player])).isEmpty { return }
                try await connection.run(BestPostsNote(player: player, board: board, until: until))
            }
        }
    }
}

/// `best_posts_forget.sql`
struct BestPostsForget: Query {
    static let sql = SQL.bestPostsForget
    let player: Player.ID
    var binds: Binds { [player, CommittedChanges.bestPostsMarker] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> String { try row.next() }
}
