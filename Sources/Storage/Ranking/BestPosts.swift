import Domain
import Postgres
import Statements

/// `best_posts_add.sql`
struct BestPostsAdd: Query {
    typealias Row = Void
    static let sql = SQL.bestPostsAdd
    let rows: [LedgerRowID]
    var binds: Binds { [rows.map { $0.owner }, rows.map { $0.id }] }
}

/// `best_posts_prove.sql`
struct BestPostsProve: Query {
    typealias Row = Void
    static let sql = SQL.bestPostsProve
    let player: Player.ID
    var binds: Binds { [player] }
}

/// `best_posts.sql`
struct BestPosts: Query {
    static let sql = SQL.bestPosts
    let board: Board.ID
    let rows: Int32
    var binds: Binds { [board, rows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> BestPost {
        try BestPost(name: row.next(), points: row.next(), reachedAt: row.next(), entry: row.next())
    }
}
