import Domain
import Postgres
import Statements

/// `player_rank.sql`
struct PlayerRank: Query {
    static let sql = SQL.playerRank
    let board: Board.ID
    let player: Player.ID
    var binds: Binds { [board, player] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int64 { try row.next() }
}
