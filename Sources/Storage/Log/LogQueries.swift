import Domain
import FoundationEssentials
import Postgres
import Statements

extension LogKey: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let key: Bytes = try row.next()
        self = LogKey(key.bytes)
    }
}

/// `log_last.sql`
struct LogLast: Query {
    static let sql = SQL.logLast
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (number: Int64, hash: [UInt8]) {
        let number: Int64 = try row.next()
        let hash: Bytes = try row.next()
        return (number: number, hash: hash.bytes)
    }
}

/// `log_add.sql`
struct LogAdd: Query {
    typealias Row = Void
    static let sql = SQL.logAdd
    let entry: LogEntry
    let hash: [UInt8]
    var binds: Binds {
        [
            entry.number, entry.at, entry.action, entry.actor, entry.kind, entry.subject, entry.values,
            entry.wordsHash.map { Bytes($0) }, Bytes(hash),
        ]
    }
}

/// `log_words_add.sql`
struct LogWordsAdd: Query {
    typealias Row = Void
    static let sql = SQL.logWordsAdd
    let number: Int64
    let words: LogWords
    let former: FormerName?
    var binds: Binds {
        [
            number, Bytes(words.salt), words.reason, words.name, former?.name, former?.waiting.name,
            former?.waiting.since, former?.waiting.nextWaits,
        ]
    }
}

/// `log_page.sql`
struct LogPage: Query {
    static let sql = SQL.logPage
    let before: Int64?
    let rows: Int32
    var binds: Binds { [before, rows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> LoggedEntry { try row.loggedEntry() }
}

/// `player_actions.sql`
struct PlayerActions: Query {
    static let sql = SQL.playerActions
    let player: Player.ID
    let before: Int64?
    let rows: Int32
    let showsAnonymous: Bool
    var binds: Binds { [player, before, rows, showsAnonymous] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> LoggedEntry { try row.loggedEntry() }
}

/// `log_chain.sql`
struct LogChain: Query {
    static let sql = SQL.logChain
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> LoggedEntry { try row.loggedEntry() }
}

extension RowReader {
    fileprivate mutating func loggedEntry() throws(DecodingFailure) -> LoggedEntry {
        let (number, at, action): (Int64, Instant, UUID?) = (try next(), try next(), try next())
        let (actor, kind): (String, String) = (try next(), try next())
        let (subject, values): (String, String) = (try next(), try next())
        let (wordsHash, hash): (Bytes?, Bytes) = (try next(), try next())
        let (salt, reason, name): (Bytes?, String?, String?) = (try next(), try next(), try next())
        let isAboutAnonymous: Bool = try next()
        var words: LogWords?
        if let salt, let reason { words = LogWords(salt: salt.bytes, reason: reason, name: name) }
        return LoggedEntry(
            entry: LogEntry(
                number: number, at: at, action: action, actor: actor, kind: kind, subject: subject, values: values,
                wordsHash: wordsHash?.bytes), hash: hash.bytes, words: words, isAboutAnonymous: isAboutAnonymous)
    }
}
