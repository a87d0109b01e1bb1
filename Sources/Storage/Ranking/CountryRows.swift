package import Domain
import Postgres
import Statements

/// `country_rows.sql`
struct CountryRows: Query {
    static let sql = SQL.countryRows
    let board: Board.ID
    let days: ClosedRange<Day>?
    let country: CountryFlag
    let pageRequest: PageRequest
    let rows: Int32

    var binds: Binds {
        let (name, position, sortKey) = pageRequest.selection
        return [
            board, days?.lowerBound, days?.upperBound, country, name, position, sortKey?.orderKey, sortKey?.reachedAt,
            sortKey?.row, rows,
        ]
    }

    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (row: PageRow, size: Int64) {
        (try PageRow(row: &row), try row.next())
    }
}

extension CountrySum: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        try self.init(country: row.next(), points: row.next(), reachedAt: row.next(), players: row.next())
    }
}

extension Store {
    /// Rows of players who show the flag of a country or region, best first. Positions are those among them.
    /// - Parameters:
    ///   - days: The days of the window; nil for the whole season.
    ///   - limitRows: As in ``page(of:days:pageRequest:limitRows:)``.
    /// - Returns: Its size is nil where it has no rows.
    package func page(
        of board: Board.ID, days: ClosedRange<Day>?, country: CountryFlag, pageRequest: PageRequest, limitRows: Int
    ) async throws(StoreError) -> Page {
        let query = CountryRows(
            board: board, days: days, country: country, pageRequest: pageRequest, rows: Int32(clamping: limitRows))
        let found = try await longRead { connection throws(PostgresError) in try await connection.rows(query) }
        return Page(
            rows: found.map(\.row.standing), position: found.first?.row.position,
            sharedPosition: found.first?.row.sharedPosition, size: found.first?.size)
    }

    /// What each country, or each region of one, comes to on a board that ranks countries; in any order.
    /// - Parameters:
    ///   - days: The days of the window; nil for the whole season.
    ///   - country: The country of the regions; nil for countries.
    package func countrySums(of board: Board.ID, days: ClosedRange<Day>?, in country: CountryFlag?)
        async throws(StoreError) -> [CountrySum]
    {
        try await longRead { connection throws(PostgresError) in
            try await connection.rows(
                CountrySums(board: board, firstDay: days?.lowerBound, lastDay: days?.upperBound, country: country))
        }
    }
}
