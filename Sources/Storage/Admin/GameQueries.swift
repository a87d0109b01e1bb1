import Domain
import Postgres
import Statements

/// `game_add.sql`
struct GameAdd: Query {
    static let sql = SQL.gameAdd
    let slug: Slug
    let name: DisplayName
    let classic: Game.Classic
    let salt: String?
    let names: NameSettings
    let now: Instant
    var binds: Binds {
        [
            slug, name, classic, salt, now, names.rules ?? .open, (names.refusedWords ?? []).map { $0.text },
            (names.refusedWords ?? []).map { $0.skeleton.description }, names.takesEmail ?? true,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> AdminOutcome { try row.next() }
}

/// `game_set.sql`
struct GameSet: Query {
    static let sql = SQL.gameSet
    let slug: Slug
    let name: DisplayName?
    let classic: Game.Classic?
    let salt: Patch<String>
    let names: NameSettings
    /// The version that the settings must have; nil for any.
    let version: String?
    var binds: Binds {
        [
            slug, name, classic, salt.isGiven ? salt.value ?? "" : nil, version, names.rules,
            names.refusedWords?.map { $0.text }, names.refusedWords?.map { $0.skeleton.description }, names.takesEmail,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> AdminOutcome { try row.next() }
}

/// `game_lock.sql`
struct GameLock: Query {
    static let sql = SQL.gameLock
    let slug: Slug
    var binds: Binds { [slug] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Game.ID { try row.next() }
}

/// `game_list.sql`
struct GameList: Query {
    static let sql = SQL.gameList
    /// Nil lists all games.
    var slug: Slug?
    var binds: Binds { [slug] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> GameListing {
        try GameListing(
            slug: row.next(), name: row.next(), classic: row.next(), hasSalt: row.next(), names: row.next(),
            refusedWords: row.next(), takesEmail: row.next(), version: row.next())
    }
}

extension NameRules: PostgresValue {}

/// `games_open.sql`
struct GamesOpen: Query {
    static let sql = SQL.gamesOpen
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> String { try row.next() }
}
