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

extension NameRules: PostgresValue {}
