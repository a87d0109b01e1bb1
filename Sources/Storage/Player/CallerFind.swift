import Domain
import Postgres
import Statements

/// `caller_find.sql`
struct CallerFind: Query {
    static let sql = SQL.callerFind
    let caller: Caller
    let game: Slug?
    let now: Instant
    var binds: Binds { [caller.tokenBytes, caller.keyBytes, caller.deviceBytes, caller.player, game, now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> FoundCaller {
        let outcome: String = try row.next()
        let (player, own): (Player.ID?, Player.ID?) = (try row.next(), try row.next())
        switch (outcome, player, own) {
        case ("known", let player?, let own?): return .known(player, own: own)
        case ("unauthorized", _, _): return .unauthorized
        case ("forbidden", _, _): return .forbidden
        case ("no-player", _, _): return .noPlayer
        default: throw DecodingFailure(.outOfRange, FoundCaller.self, from: String.oid)
        }
    }
}

/// `classic_caller.sql`
struct ClassicCaller: Query {
    static let sql = SQL.classicCaller
    let game: Slug
    let device: DeviceHash?
    let name: PlayerName?
    var binds: Binds {
        [
            game, device.map { Bytes($0.bytes) }, name?.description, name?.skeleton.description,
            name?.leetSkeleton.description,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> ClassicCall {
        let game = try Game(id: row.next(), slug: row.next(), classic: row.next(), salt: row.next())
        return ClassicCall(game: game, player: try row.next(), isNameRefused: try row.next())
    }
}

/// `key_game.sql`
struct KeyGame: Query {
    static let sql = SQL.keyGame
    let key: TokenHash
    let now: Instant
    var binds: Binds { [Bytes(key.bytes), now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (game: Slug, scopes: KeyScopes) {
        let game: Slug = try row.next()
        return (game: game, scopes: KeyScopes(stored: try row.next(), kind: .game))
    }
}
