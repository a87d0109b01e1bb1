import Domain
import Postgres
import Statements

/// `caller_find.sql`
struct CallerFind: Query {
    static let sql = SQL.callerFind
    let caller: Caller
    let game: Slug?
    var binds: Binds { [caller.tokenBytes, caller.keyBytes, caller.deviceBytes, caller.player, game] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> FoundCaller {
        let outcome: String = try row.next()
        let player: Player.ID? = try row.next()
        switch (outcome, player) {
        case ("known", let player?): return .known(player)
        case ("unauthorized", _): return .unauthorized
        case ("forbidden", _): return .forbidden
        case ("no-player", _): return .noPlayer
        default: throw DecodingFailure(.outOfRange, FoundCaller.self, from: String.oid)
        }
    }
}
