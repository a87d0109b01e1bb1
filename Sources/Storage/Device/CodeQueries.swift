import Domain
import Postgres
import Statements

/// `code_make.sql`
struct CodeMake: Query {
    static let sql = SQL.codeMake
    let token: TokenHash
    let kind: String
    let code: CodeHash
    let now: Instant
    /// Nil for never.
    let expiresAt: Instant?
    let isNewDevice: Bool
    var binds: Binds { [Bytes(token.bytes), kind, Bytes(code.bytes), now, expiresAt, isNewDevice] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Player.ID { try row.next() }
}

/// `code_make_player.sql`
struct CodeMakePlayer: Query {
    static let sql = SQL.codeMakePlayer
    let player: Player.ID
    let code: CodeHash
    let now: Instant
    let expiresAt: Instant
    var binds: Binds { [player, Bytes(code.bytes), now, expiresAt] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Player.ID { try row.next() }
}

/// `code_log_note.sql`
struct CodeLogNote: Query {
    typealias Row = Void
    static let sql = SQL.codeLogNote
    let player: Player.ID
    let code: CodeHash
    let entry: Int64
    var binds: Binds { [player, Bytes(code.bytes), entry] }
}

/// `code_find.sql`
struct CodeFind: Query {
    static let sql = SQL.codeFind
    let code: CodeHash
    let device: DeviceHash
    let now: Instant
    var binds: Binds { [Bytes(code.bytes), Bytes(device.bytes), now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (
        owner: Player.ID?, logEntry: Int64?, joined: Player.ID?
    ) { (owner: try row.next(), logEntry: try row.next(), joined: try row.next()) }
}
