package import Domain
package import FoundationEssentials
import Postgres
import Statements

// Players who were erased, and those who have not called for long.

/// `player_erase.sql`
struct PlayerErase: Query {
    typealias Row = Void
    static let sql = SQL.playerErase
    let players: [Player.ID]
    let receipt: UUID
    let now: Instant
    var binds: Binds { [players, receipt, now, now.advanced(bySeconds: Limits.erasedTokenDays * 86_400)] }
}

/// `erasures_page.sql`
struct ErasuresPage: Query {
    static let sql = SQL.erasuresPage
    let after: Erasure.Key
    let limitRows: Int32
    var binds: Binds { [after.at, after.player, limitRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Erasure {
        try Erasure(player: row.next(), receipt: row.next(), at: row.next())
    }
}

/// A player who was erased, by id alone.
package struct Erasure: Sendable {
    /// What the list is ordered by.
    package struct Key: Sendable {
        package let at: Instant
        package let player: Player.ID

        package init(at: Instant, player: Player.ID) { (self.at, self.player) = (at, player) }

        /// The key before the first erasure.
        package static let beginning = Key(at: Instant(microsecondsSince1970: 0), player: Player.ID(rawValue: 0))
    }

    package let player: Player.ID
    /// The id of the action.
    package let receipt: UUID
    package let at: Instant

    package var key: Key { Key(at: at, player: player) }
}

extension Store {
    /// The receipt of the player who was erased and whose token this was; nil for other tokens, and after 30 days.
    package func findErasure(ofToken token: TokenHash, now: Instant) async throws(StoreError) -> UUID? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(ErasureOfToken(token: token, now: now))
        }
    }

    package func isErased(_ player: Player.ID) async throws(StoreError) -> Bool {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(ErasureFind(player: player)) != nil
        }
    }

    /// Who was erased, the earliest first.
    package func erasures(after key: Erasure.Key = .beginning, limitRows: Int32) async throws(StoreError) -> [Erasure] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(ErasuresPage(after: key, limitRows: limitRows))
        }
    }

    /// Looks at players in the order of their ids.
    /// - Returns: Each with whether it has not called since the instant; none behind the last player.
    package func idlePlayers(after player: Player.ID, since instant: Instant, limitRows: Int32) async throws(StoreError)
        -> [(player: Player.ID, isIdle: Bool)]
    {
        try await general { connection throws(PostgresError) in
            try await connection.rows(PlayersIdle(after: player, since: instant, limitRows: limitRows))
        }
    }
}
