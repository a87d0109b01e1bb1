import Domain
import Postgres
import Statements

/// `player_faces.sql`
struct PlayerFaces: Query {
    static let sql = SQL.playerFaces
    let players: [Player.ID]
    var binds: Binds { [players] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Face {
        try Face(player: row.next(), name: row.next(), avatar: row.next())
    }
}
