import Domain
import Postgres
import Statements

/// `player_profile.sql`
struct PlayerProfile: Query {
    static let sql = SQL.playerProfile
    let player: Player.ID
    let game: Game.ID
    var binds: Binds { [player, game] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (id: Player.ID, name: String, avatar: AvatarHash?) {
        (try row.next(), try row.next(), try row.next())
    }
}
