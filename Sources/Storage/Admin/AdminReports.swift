package import Domain
package import FoundationEssentials
import Postgres
import Statements

/// `admin_donations.sql`
struct AdminDonations: Query {
    static let sql = SQL.adminDonations
    let charity: Slug
    let before: HistoryKey?
    let limitRows: Int32
    var binds: Binds { [charity, before?.reachedAt, before?.id, limitRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> CharityDonation {
        try CharityDonation(
            id: row.next(),
            points: row.next(),
            state: row.next(),
            isAnonymous: row.next(),
            player: row.next(),
            game: row.next(),
            recordedAt: row.next(),
            reachedAt: row.next()
        )
    }
}

/// `admin_subscribers.sql`
struct AdminSubscribers: Query {
    static let sql = SQL.adminSubscribers
    let after: Player.ID
    let limitRows: Int32
    var binds: Binds { [after, limitRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Subscriber {
        try Subscribers.decode(&row)
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
            day: row.next(),
            posts: row.next(),
            donations: row.next(),
            players: row.next(),
            earned: row.next(),
            given: row.next()
        )
        return (day, try row.next())
    }
}

/// A donation as whoever keeps a charity's books sees it.
package struct CharityDonation: Sendable {
    package let id: UUID
    package let points: Int64
    /// `funded`.
    package let state: String
    package let isAnonymous: Bool
    /// Nil for an anonymous donation.
    package let player: Player.ID?
    package let game: String?
    package let recordedAt: Instant
    package let reachedAt: Instant
}

/// What happened on a day in UTC.
package struct DayStats: Sendable, Equatable {
    package let day: Day
    package let posts: Int64
    package let donations: Int64
    /// Players who registered.
    package let players: Int64
    package let earned: Int128
    package let given: Int128
}

extension Store {
    package func players(_ search: PlayerSearch, in game: Slug?, after: Player.ID, limitRows: Int)
        async throws(StoreError) -> [FoundPlayer]
    {
        try await general { connection throws(PostgresError) in
            try await connection.rows(
                AdminPlayers(search: search, game: game, after: after, limitRows: Int32(clamping: limitRows))
            )
        }
    }

    /// What operators may know of a player, hidden or not; nil when there is none.
    /// - Parameter withAnonymous: Whether sums and counts have what was given anonymously in them.
    package func findPlayerRecord(_ player: Player.ID, withAnonymous: Bool) async throws(StoreError) -> PlayerRecord? {
        let query = AdminPlayer(player: player, withAnonymous: withAnonymous)
        return try await general { connection throws(PostgresError) in
            guard let record = try await connection.firstRow(query) else { return nil }
            if withAnonymous { return record }
            let named = try await connection.givenByName(of: record.mergedInto ?? player)
            return record.without(anonymousBeside: named)
        }
    }

    /// A player's scores and donations before a point in their history, newest first.
    package func ledger(of player: Player.ID, before historyKey: HistoryKey?, limitRows: Int, withAnonymous: Bool)
        async throws(StoreError) -> [LedgerRow]
    {
        try await general { connection throws(PostgresError) in
            try await connection.rows(
                AdminLedger(
                    player: player,
                    before: historyKey,
                    limitRows: Int32(clamping: limitRows),
                    withAnonymous: withAnonymous
                )
            )
        }
    }

    /// Donations to a charity before a point in their history, newest first.
    package func donations(toCharity charity: Slug, before historyKey: HistoryKey?, limitRows: Int)
        async throws(StoreError) -> [CharityDonation]
    {
        try await general { connection throws(PostgresError) in
            try await connection.rows(
                AdminDonations(charity: charity, before: historyKey, limitRows: Int32(clamping: limitRows))
            )
        }
    }

    package func subscribers(after player: Player.ID, limitRows: Int) async throws(StoreError) -> [Subscriber] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(AdminSubscribers(after: player, limitRows: Int32(clamping: limitRows)))
        }
    }

    /// What happened on each of some days in UTC, the newest first.
    /// - Parameter rowsMax: Rows of each table that are read at most.
    /// - Returns: Nil when there are more.
    package func stats(of days: ClosedRange<Day>, rowsMax: Int64) async throws(StoreError) -> [DayStats]? {
        let rows = try await general { connection throws(PostgresError) in
            try await connection.rows(StatsDays(days: days, rowsMax: rowsMax))
        }
        return rows.allSatisfy(\.isWhole) ? rows.map(\.day) : nil
    }
}
