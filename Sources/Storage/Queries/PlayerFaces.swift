import Domain
import Postgres
import Statements

/// `player_faces.sql`
struct PlayerFaces: Query {
    static let sql = SQL.playerFaces
    let players: [Player.ID]
    var binds: Binds { [players] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Face {
        try Face(&row)
    }
}

/// `faces_page.sql`
struct FacesPage: Query {
    static let sql = SQL.facesPage
    let after: Player.ID
    let rows: Int32
    var binds: Binds { [after, rows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Face {
        try Face(&row)
    }
}

extension Face {
    fileprivate init(_ row: inout RowReader) throws(DecodingFailure) {
        try self.init(player: row.next(), name: row.next(), avatar: row.next())
    }
}
