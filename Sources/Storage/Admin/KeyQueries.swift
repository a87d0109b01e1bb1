import Domain
import Postgres
import Statements

/// `key_add.sql`
struct KeyAdd: Query {
    static let sql = SQL.keyAdd
    let game: Slug
    let key: TokenHash
    let name: DisplayName
    let now: Instant
    var binds: Binds { [game, Bytes(key.bytes), name, now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (AdminOutcome, id: Int32?) {
        (try row.next(), id: try row.next())
    }
}

/// `key_list.sql`
struct KeyList: Query {
    static let sql = SQL.keyList
    let game: Slug
    var binds: Binds { [game] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> KeyListing {
        try KeyListing(id: row.next(), name: row.next(), addedAt: row.next(), revokedAt: row.next())
    }
}

/// `key_revoke.sql`
struct KeyRevoke: Query {
    static let sql = SQL.keyRevoke
    let game: Slug
    let id: Int32
    let now: Instant
    var binds: Binds { [game, id, now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> AdminOutcome { try row.next() }
}
