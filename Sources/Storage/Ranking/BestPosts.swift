import Domain
import Postgres
import Statements

/// `best_posts.sql`
struct BestPosts: Query {
    static let sql = SQL.bestPosts
    let board: Board.ID
    let rows: Int32
    var binds: Binds { [board, rows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> BestPost {
        try BestPost(name: row.next(), points: row.next(), reachedAt: row.next())
    }
}
