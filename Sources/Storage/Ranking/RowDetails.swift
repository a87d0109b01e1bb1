import Domain
import Postgres
import Statements

/// `player_summaries.sql`
struct PlayerSummaries: Query {
    static let sql = SQL.playerSummaries
    let players: [Player.ID]
    var binds: Binds { [players] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PlayerSummary { try PlayerSummary(&row) }
}

/// `player_summaries_page.sql`
struct PlayerSummariesPage: Query {
    static let sql = SQL.playerSummariesPage
    let after: Player.ID
    let rows: Int32
    var binds: Binds { [after, rows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PlayerSummary { try PlayerSummary(&row) }
}

extension PlayerSummary {
    fileprivate init(_ row: inout RowReader) throws(DecodingFailure) {
        try self.init(player: row.next(), name: row.next(), avatar: row.next())
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
