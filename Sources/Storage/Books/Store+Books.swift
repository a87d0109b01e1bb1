package import Domain
import Postgres

extension Store {
    /// The last day in UTC that is over, so that it may be closed. After midnight it takes a while, in which the
    /// transactions of the day commit.
    package static func lastBookDay(_ now: Instant) -> Day {
        now.advanced(bySeconds: -Limits.bookGraceSeconds).dayInUTC.advanced(byDays: -1)
    }

    /// Closes all days that are over and are not closed yet, in one transaction. It reads what was recorded on them
    /// once; an installation that has closed none reads both ledgers.
    /// - Returns: How many days it closed; nil while somebody else closes some.
    package func closeBooks(now: Instant) async throws(StoreError) -> Int64? {
        let last = Self.lastBookDay(now)
        return try await changing { connection throws(PostgresError) in
            try await connection.transaction { connection throws(PostgresError) in
                // The lock is taken before the statements that read have their snapshots.
                guard try await connection.row(BookLock()) else { return nil }
                let span = try await connection.row(BookSpan())
                let first = span?.upperBound.advanced(byDays: 1)
                if let first, first > last { return 0 }
                _ = try await connection.row(BookPatience(milliseconds: Limits.bookMillisecondsMax))
                return try await connection.row(BookClose(first: first, last: last, now: now))
            }
        }
    }

    /// The first and the last closed day, with every day between them; nil while none is closed.
    package func bookSpan() async throws(StoreError) -> ClosedRange<Day>? {
        try await general { connection throws(PostgresError) in try await connection.row(BookSpan()) }
    }

    /// The books at the end of a day in UTC.
    /// - Returns: Nil when the day is not closed.
    package func findBooks(of day: Day) async throws(StoreError) -> DayBooks? {
        try await general { connection throws(PostgresError) in
            guard var books = try await connection.firstRow(BookFind(day: day)) else { return nil }
            books.charities = try await connection.rows(BookCharities(day: day))
            books.games = try await connection.rows(BookGames(day: day))
            return books
        }
    }
}
