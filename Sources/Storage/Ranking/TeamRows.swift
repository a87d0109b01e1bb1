package import Domain
import Postgres
import Statements

/// `team_rows.sql`
struct TeamRows: Query {
    static let sql = SQL.teamRows
    let board: Board.ID
    /// Nil for the whole season.
    let days: ClosedRange<Day>?
    let pageRequest: PageRequest
    let rows: Int32

    var binds: Binds {
        let (name, position, sortKey) = pageRequest.selection
        return [
            board, days?.lowerBound ?? .earliestOfBoards, days?.upperBound ?? .latestOfBoards, name, position,
            sortKey?.orderKey, sortKey?.reachedAt, sortKey?.row, rows,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> TeamRow {
        TeamRow(row: try PositionedStanding(row: &row), size: try row.next(), members: try row.next())
    }
}

/// A row of the ranking of teams. The standing's row id is the team's.
struct TeamRow: Sendable {
    let row: PositionedStanding
    /// How many rows there are in all.
    let size: Int64
    /// How many members have points.
    let members: Int64
}

extension Day {
    /// Days between which all days of boards are.
    fileprivate static let earliestOfBoards = Day(daysSince1970: -100_000)
    fileprivate static let latestOfBoards = Day(daysSince1970: 1_000_000)
}

extension Store {
    /// Consecutive rows of the ranking of teams on a board, in its total order.
    /// - Parameters:
    ///   - days: The days of the window; nil for the whole season.
    ///   - limitRows: As for ``page(of:days:pageRequest:limitRows:)``.
    /// - Returns: The page, and how many members of each team have points.
    package func teamPage(of board: Board.ID, days: ClosedRange<Day>?, pageRequest: PageRequest, limitRows: Int)
        async throws(StoreError) -> (page: Page, members: [Int64])
    {
        let query = TeamRows(board: board, days: days, pageRequest: pageRequest, rows: Int32(clamping: limitRows))
        let rows = try await longRead { connection throws(PostgresError) in try await connection.rows(query) }
        let page = Page(
            rows: rows.map(\.row.standing), position: rows.first?.row.rankPosition.position,
            sharedPosition: rows.first?.row.rankPosition.sharedPosition, size: rows.first?.size)
        return (page, rows.map(\.members))
    }
}

// What memory keeps of the ranking of teams.
extension Store {
    /// All teams of a ranking, in no order.
    package func teamStandings(on board: Board.ID, days: ClosedRange<Day>?, limitRows: Int64) async throws(StoreError)
        -> [TeamPoints]
    {
        let query = TeamStandings(
            board: board, firstDay: days?.lowerBound ?? .earliestOfBoards, lastDay: days?.upperBound ?? .latestOfBoards,
            limitRows: limitRows)
        return try await general { connection throws(PostgresError) in try await connection.rows(query) }
    }

    /// What the members of some teams made of their days.
    /// - Parameter lastDay: A day after which there are no posts.
    package func teamTallies(of teams: [Team.ID], on board: Board.ID, days: ClosedRange<Day>?, lastDay: Day)
        async throws(StoreError) -> [TeamTally]
    {
        let query = TeamTallies(
            board: board, firstDay: days?.lowerBound ?? .earliestOfBoards,
            lastDay: min(days?.upperBound ?? lastDay, lastDay), teams: teams)
        return try await general { connection throws(PostgresError) in try await connection.rows(query) }
    }

    /// What teams are called; unknown ones are left out.
    package func names(of teams: [Team.ID]) async throws(StoreError) -> [Team.ID: String] {
        let query = TeamNames(teams: teams)
        let rows = try await general { connection throws(PostgresError) in try await connection.rows(query) }
        return Dictionary(rows.map { ($0.team, $0.name) }) { first, _ in first }
    }
}
