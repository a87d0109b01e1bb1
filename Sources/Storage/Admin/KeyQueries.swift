package import Domain
package import FoundationEssentials
import Postgres
import Statements

/// `key_add.sql`
struct KeyAdd: Query {
    static let sql = SQL.keyAdd
    let key: NewKey
    let now: Instant
    var binds: Binds {
        [key.id, key.scopes.kind, key.game, Bytes(key.hash.bytes), key.name, key.scopes.texts, key.expiresAt, now]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (AdminOutcome, number: Int32?) {
        (try row.next(), number: try row.next())
    }
}

/// `key_same.sql`
struct KeySame: Query {
    static let sql = SQL.keySame
    let key: NewKey
    var binds: Binds {
        [key.id, key.scopes.kind, key.game, Bytes(key.hash.bytes), key.name, key.scopes.texts, key.expiresAt]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool { try row.next() }
}

extension KeyListing: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let (number, id): (Int32, UUID) = (try row.next(), try row.next())
        let kind: KeyKind = try row.next()
        self = try KeyListing(
            number: number, id: id, game: row.next(), name: row.next(),
            scopes: KeyScopes(stored: row.next(), kind: kind), addedAt: row.next(), expiresAt: row.next(),
            revokedAt: row.next(), usedOn: row.next())
    }
}

extension AdminKey: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try AdminKey(
            number: row.next(), id: row.next(), name: row.next(), scopes: KeyScopes(stored: row.next(), kind: .admin),
            usedOn: row.next())
    }
}

/// A key as `causeboard key list` shows it, without the key itself.
package struct KeyListing: Sendable {
    /// Its number in the list.
    package let number: Int32
    package let id: UUID
    /// Nil for an operator's key.
    package let game: String?
    package let name: String
    package let scopes: KeyScopes
    package let addedAt: Instant
    package let expiresAt: Instant?
    package let revokedAt: Instant?
    /// The day on which it was used last, in UTC.
    package let usedOn: Day?
}

/// A key that is about to be added.
package struct NewKey: Sendable {
    package var id: UUID
    /// Nil for an operator's key.
    package var game: Slug?
    package var hash: TokenHash
    package var name: DisplayName
    package var scopes: KeyScopes
    package var expiresAt: Instant?

    /// - Parameters:
    ///   - game: The game of a game's key.
    ///   - scopes: Those of a game's key exactly when there is a game.
    package init(
        id: UUID, game: Slug?, hash: TokenHash, name: DisplayName, scopes: KeyScopes, expiresAt: Instant? = nil
    ) {
        self.id = id
        self.game = game
        self.hash = hash
        self.name = name
        self.scopes = scopes
        self.expiresAt = expiresAt
    }

    /// The names of its settings in the admin API.
    package static let settings: Set<String> = ["token", "kind", "game", "name", "scopes", "expires_at"]

    /// The values, for the log.
    var values: [(String, SettingValue)] {
        var values: [(String, SettingValue)] = [
            ("token", .text(Hex.text(hash.bytes))), ("kind", .plain(scopes.kind.rawValue)),
            ("name", .text(name.description)), ("scopes", .plain(scopes.texts.joined(separator: ","))),
        ]
        if let game { values.append(("game", .plain(game.description))) }
        if let expiresAt { values.append(("expires_at", .plain(expiresAt.rfc3339(.microseconds)))) }
        return values
    }
}

/// An operator's key that may be used now.
package struct AdminKey: Sendable {
    /// Its number in `causeboard key list`.
    package let number: Int32
    package let id: UUID
    package let name: String
    package let scopes: KeyScopes
    /// The day on which it was used last, as far as that has been noted.
    package let usedOn: Day?
}
