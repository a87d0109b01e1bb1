package import Domain
package import FoundationEssentials
import Postgres
import Statements

/// `admin_donations.sql`
struct AdminDonations: Query {
    static let sql = SQL.adminDonations
    let charity: Slug
    let before: CharityDonation.Key?
    let limitRows: Int32
    var binds: Binds {
        var (named, anonymous): (UUID?, Int64?)
        switch before?.row {
        case .named(let id): named = id
        case .anonymous(let row): anonymous = row
        case nil: break
        }
        return [charity, before?.at, named, anonymous, limitRows]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> CharityDonation {
        let (id, anonymousRow): (UUID, Int64?) = (try row.next(), try row.next())
        return try CharityDonation(
            id: id, row: anonymousRow.map { .anonymous($0) } ?? .named(id), points: row.next(), state: row.next(),
            player: row.next(), game: row.next(), recordedAt: row.next(), shownAt: row.next())
    }
}

/// `stats_days.sql`
struct StatsDays: Query {
    static let sql = SQL.statsDays
    let days: ClosedRange<Day>
    let rowsMax: Int64
    var binds: Binds {
        [
            days.lowerBound, days.upperBound, days.lowerBound.startInUTC,
            days.upperBound.advanced(byDays: 1).startInUTC, rowsMax,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (day: DayStats, isWhole: Bool) {
        let day = try DayStats(
            day: row.next(), posts: row.next(), donations: row.next(), players: row.next(), earned: row.next(),
            donated: row.next())
        return (day, try row.next())
    }
}

/// A donation as whoever keeps a charity's books sees it.
package struct CharityDonation: Sendable {
    /// What tells it from others of the same time.
    package enum Row: Sendable, Hashable {
        case named(UUID)
        /// Its random row on the board, which is negative.
        case anonymous(Int64)
    }

    /// Where it stands in the list.
    package struct Key: Sendable {
        package let at: Instant
        package let row: Row

        package init(at: Instant, row: Row) {
            self.at = at
            self.row = row
        }
    }

    /// Not that under which it was donated, if it is anonymous: that one may have the time in it.
    package let id: UUID
    package let row: Row
    package let points: Int64
    /// `funded`, `part`, `unfunded` or `reversed`.
    package let state: String
    /// Nil for an anonymous donation.
    package let player: Player.ID?
    package let game: String?
    /// When it came; 00:00 of that day in the charity's zone for an anonymous donation.
    package let recordedAt: Instant
    package let shownAt: Instant

    package var isAnonymous: Bool { if case .anonymous = row { true } else { false } }
    package var key: Key { Key(at: shownAt, row: row) }
}

/// What happened on a day in UTC.
package struct DayStats: Sendable, Equatable {
    package let day: Day
    package let posts: Int64
    package let donations: Int64
    /// Players who registered.
    package let players: Int64
    package let earned: Int128
    package let donated: Int128
}

extension Administration {
    package func players(_ search: PlayerSearch, in game: Slug?, after: Player.ID, limitRows: Int)
        async throws(StoreError) -> [FoundPlayer]
    {
        try await store.general { connection throws(PostgresError) in
            try await connection.rows(
                AdminPlayers(search: search, game: game, after: after, limitRows: Int32(clamping: limitRows)))
        }
    }

    /// What operators may know of a player, hidden or not; nil when there is none.
    /// - Parameter withAnonymous: Whether sums and counts have what was donated anonymously in them.
    package func findPlayerRecord(_ player: Player.ID, withAnonymous: Bool) async throws(StoreError) -> PlayerRecord? {
        let query = AdminPlayer(player: player, withAnonymous: withAnonymous)
        return try await store.general { connection throws(PostgresError) in
            guard let record = try await connection.firstRow(query) else { return nil }
            if withAnonymous { return record }
            let named = try await connection.donatedByName(of: record.mergedInto ?? player)
            return record.without(anonymousBeside: named)
        }
    }

    /// A player's scores and donations before a point in their history, newest first.
    package func ledger(of player: Player.ID, before historyKey: HistoryKey?, limitRows: Int, withAnonymous: Bool)
        async throws(StoreError) -> [LedgerRow]
    {
        try await store.longRead { connection throws(PostgresError) in
            try await connection.rows(
                AdminLedger(
                    player: player, before: historyKey, limitRows: Int32(clamping: limitRows),
                    withAnonymous: withAnonymous))
        }
    }

    /// Donations to a charity before one of them, newest first.
    package func donations(toCharity charity: Slug, before key: CharityDonation.Key?, limitRows: Int)
        async throws(StoreError) -> [CharityDonation]
    {
        try await store.longRead { connection throws(PostgresError) in
            try await connection.rows(
                AdminDonations(charity: charity, before: key, limitRows: Int32(clamping: limitRows)))
        }
    }

    package func subscribers(after player: Player.ID, limitRows: Int) async throws(StoreError) -> [Subscriber] {
        try await store.general { connection throws(PostgresError) in
            try await connection.rows(AdminSubscribers(after: player, limitRows: Int32(clamping: limitRows)))
        }
    }

    /// What happened on each of some days in UTC, the newest first.
    /// - Parameter rowsMax: Rows of each table that are read at most.
    /// - Returns: Nil when there are more.
    package func stats(of days: ClosedRange<Day>, rowsMax: Int64) async throws(StoreError) -> [DayStats]? {
        let rows = try await store.longRead { connection throws(PostgresError) in
            try await connection.rows(StatsDays(days: days, rowsMax: rowsMax))
        }
        return rows.allSatisfy(\.isWhole) ? rows.map(\.day) : nil
    }
}

/// A player who asked for updates and left an e-mail address.
package struct Subscriber: Sendable {
    package let player: Player.ID
    package let game: String
    package let name: String
    package let email: String
    package let since: Instant
    /// The route by which the player asked.
    package let source: String
}
