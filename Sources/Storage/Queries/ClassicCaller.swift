import Domain
import Postgres
import Statements

/// `classic_caller.sql`
struct ClassicCaller: Query {
    static let sql = SQL.classicCaller
    let game: Slug
    /// Nil when the call names no device.
    let device: DeviceHash?
    var binds: Binds { [game, device.map { Bytes($0.bytes) }] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (game: Game, player: (id: Player.ID, name: String)?) {
        let game = try Game(id: row.next(), slug: row.next(), classic: row.next(), salt: row.next())
        let id: Player.ID? = try row.next()
        let name: String? = try row.next()
        guard let id, let name else { return (game, nil) }
        return (game, (id, name))
    }
}
