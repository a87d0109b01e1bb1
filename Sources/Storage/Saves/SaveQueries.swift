package import Domain
import Postgres
import Statements

/// `save_find.sql`
struct SaveFind: Query {
    static let sql = SQL.saveFind
    let player: Player.ID
    let slot: Slug
    let etag: SaveETag?
    var binds: Binds { [player, slot, etag.map { Bytes($0.bytes) }] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Save { try Save(row: &row) }
}

/// `save_put.sql`
struct SavePut: Query {
    static let sql = SQL.savePut
    let token: TokenHash
    let slot: Slug
    let body: [UInt8]
    let etag: SaveETag
    let expected: SaveExpectation
    let now: Instant
    var binds: Binds {
        [
            Bytes(token.bytes), slot, Bytes(body), Bytes(etag.bytes), expected.etag, now, Limits.saveSlotsMax,
            Limits.saveVersionsEarlier, Limits.saveBytesBeforePost, Limits.countedPostsSought,
        ]
    }

    /// Nil when the player has become one with another meanwhile.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> SaveOutcome? {
        let outcome: String = try row.next()
        let (current, savedAt): (SaveETag?, Instant?) = (try row.next(), try row.next())
        let isNew: Bool = try row.next()
        switch (outcome, savedAt) {
        case ("changed", _): return nil
        case ("stored", let savedAt?): return .stored(savedAt: savedAt, isNew: isNew)
        case ("known", let savedAt?): return .known(savedAt: savedAt)
        case ("stale", _): return .stale(current)
        case ("slots-full", _): return .slotsFull
        case ("post-first", _): return .postFirst
        case ("banned", _): return .banned
        default: throw DecodingFailure(.outOfRange, SaveOutcome.self, from: String.oid)
        }
    }
}

/// `save_delete.sql`
struct SaveDelete: Query {
    static let sql = SQL.saveDelete
    let token: TokenHash
    let slot: Slug
    let expected: SaveETag?
    var binds: Binds { [Bytes(token.bytes), slot, SaveExpectation.version(expected).etag] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> SaveDeletion {
        let outcome: String = try row.next()
        let current: SaveETag? = try row.next()
        switch outcome {
        case "deleted": return .deleted
        case "no-save": return .noSave
        case "stale": return .stale(current)
        case "banned": return .banned
        default: throw DecodingFailure(.outOfRange, SaveDeletion.self, from: String.oid)
        }
    }
}

/// `saves_exported.sql`
struct SavesExported: Query {
    static let sql = SQL.savesExported
    let player: Player.ID
    let after: ExportedSave.Key?
    let rows: Int32
    var binds: Binds { [player, after?.player, after?.slot, after?.revision, rows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> ExportedSave {
        let key = ExportedSave.Key(player: try row.next(), slot: try row.next(), revision: try row.next())
        return ExportedSave(key: key, save: try Save(row: &row))
    }
}

/// `own_versions.sql`
struct OwnVersions: Query {
    static let sql = SQL.ownVersions
    let tokens: [TokenHash]
    let now: Instant
    let seconds: Int32
    var binds: Binds { [tokens.map { Bytes($0.bytes) }, now, seconds] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (token: TokenHash, version: Int64) {
        let hash: Bytes = try row.next()
        return (TokenHash(bytes: hash.bytes), try row.next())
    }
}

extension SaveExpectation {
    /// Nil for an empty slot. What is no ETag of a save is no bytes, which no slot has.
    fileprivate var etag: Bytes? {
        switch self {
        case .nothing: nil
        case .version(let etag): Bytes(etag?.bytes ?? [])
        }
    }
}

extension SaveETag: Carried {
    var carrier: Bytes { Bytes(bytes) }
    init?(carrier: Bytes) { self.init(bytes: carrier.bytes) }
}

extension SaveVersion: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        try self.init(slot: row.next(), etag: row.next(), bytesCount: row.next(), savedAt: row.next())
    }
}

extension Save: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let etag: SaveETag = try row.next()
        let body: Bytes = try row.next()
        self.init(etag: etag, body: body.bytes, savedAt: try row.next())
    }
}

/// The bytes of a save.
package struct Save: Sendable {
    package let etag: SaveETag
    package let body: [UInt8]
    package let savedAt: Instant
}

package struct ExportedSave: Sendable {
    package struct Key: Sendable {
        let player: Player.ID
        package let slot: Slug
        let revision: Int32
    }

    package let key: Key
    package let save: Save
}

/// What became of bytes that were to be saved.
package enum SaveOutcome: Sendable, Equatable {
    case stored(savedAt: Instant, isNew: Bool)
    /// The slot has these bytes already, whatever the caller has seen.
    case known(savedAt: Instant)
    /// - Parameter current: What the slot has; nil when it is empty.
    case stale(SaveETag?)
    case slotsFull
    /// Until one of its scores counts, a player has one small slot.
    case postFirst
    case banned
}

/// What became of a slot that was to be emptied.
package enum SaveDeletion: Sendable, Equatable {
    case deleted
    case noSave
    case stale(SaveETag?)
    case banned
}
