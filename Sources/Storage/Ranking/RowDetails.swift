import Domain
import Postgres
import Statements

extension PlayerSummary: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        try self.init(player: row.next(), name: row.next(), avatar: row.next(), flag: row.next())
    }
}

/// `score_details.sql`
struct ScoreDetails: Query {
    static let sql = SQL.scoreDetails
    let board: Board.ID
    /// Rows of players; no two of one player.
    let rows: [Standing]
    /// The player who asks; nil for what everybody sees.
    let asking: Player.ID?
    var binds: Binds {
        [board, rows.map(\.sortKey.row), rows.map { Int64(clamping: $0.points) }, rows.map(\.reachedAt), asking]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (row: Int64, detail: String?) {
        (row: try row.next(), detail: try row.next())
    }
}
