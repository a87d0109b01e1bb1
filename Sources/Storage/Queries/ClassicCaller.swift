import Domain
import Postgres
import Statements

/// `classic_caller.sql`
struct ClassicCaller: Query {
    static let sql = SQL.classicCaller
    let game: Slug
    let device: DeviceHash?
    let name: PlayerName?
    var binds: Binds { [game, device.map { Bytes($0.bytes) }, name?.description, name?.skeleton.description] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> ClassicCall {
        let game = try Game(id: row.next(), slug: row.next(), classic: row.next(), salt: row.next())
        return ClassicCall(game: game, player: try row.next(), isNameRefused: try row.next())
    }
}
