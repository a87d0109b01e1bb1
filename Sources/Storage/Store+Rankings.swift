package import Domain
import Postgres

extension Store {
    /// - Returns: The season that is played now of a score board; nil when there is no such game or board.
    package func findBoard(_ board: Slug, in game: Slug, now: Instant) async throws(StoreError) -> Board? {
        try await general { connection throws(PostgresError) in try await connection.firstRow(BoardFind(game: game, board: board, now: now))
        }
    }

    /// - Parameter slug: A charity's, or ``Slug/overall``.
    /// - Returns: The board of those who gave; nil when there is no such charity.
    package func findGivingBoard(_ slug: Slug, now: Instant) async throws(StoreError) -> Board? {
        try await general { connection throws(PostgresError) in try await connection.firstRow(GivingBoardFind(slug: slug, now: now)) }
    }

    /// Best rows of one board in the one total order; hidden players are not there.
    /// - Parameters:
    ///   - days: Nil for all time of the season.
    ///   - limitRows: 1...101.
    package func top(of board: Board, days: ClosedRange<Day>?, limitRows: Int) async throws(StoreError) -> [Standing] {
        let rows = Int32(clamping: limitRows)
        return try await general { connection throws(PostgresError) in
            guard let days else { return try await connection.rows(BoardTop(board: board.id, rows: rows)) }
            switch board.policy {
            case .sum: return try await connection.rows(WindowTopSum(board: board.id, days: days, rows: rows))
            case .best: return try await connection.rows(WindowTopBest(board: board.id, days: days, rows: rows))
            case .latest: return try await connection.rows(WindowTopLatest(board: board.id, days: days, rows: rows))
            }
        }
    }

    /// How many players stand on a board; hidden ones do not.
    package func size(of board: Board, days: ClosedRange<Day>?) async throws(StoreError) -> Int64 {
        try await general { connection throws(PostgresError) in
            guard let days else { return try await connection.row(BoardSize(board: board.id)) }
            return try await connection.row(WindowSize(board: board.id, days: days))
        }
    }

    /// When a range of days begins and ends in the board's zone.
    package func span(of days: ClosedRange<Day>, on board: Board) async throws(StoreError) -> Range<Instant> {
        try await general { connection throws(PostgresError) in try await connection.row(WindowSpan(board: board.id, days: days)) }
    }

    /// The displayed rank of a player on a board, all time of its season, from 1; nil without a standing.
    package func findRank(of player: Player.ID, on board: Board.ID) async throws(StoreError) -> Int64? {
        try await general { connection throws(PostgresError) in try await connection.firstRow(PlayerRank(board: board, player: player)) }
    }

    /// The best single posts of a board that keeps the best, each with the name it came with.
    /// - Parameter limitRows: 1...100.
    package func bestPosts(of board: Board.ID, limitRows: Int) async throws(StoreError) -> [Post] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(BestPosts(board: board, rows: Int32(clamping: limitRows)))
        }
    }

    /// Charities by points received, best first.
    /// - Parameter limitRows: 1...101.
    package func charities(limitRows: Int, now: Instant) async throws(StoreError) -> [Charity] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(CharitiesTop(rows: Int32(clamping: limitRows), now: now))
        }
    }

    /// The slugs of the games in which who knows a device id speaks for the device.
    package func openGames() async throws(StoreError) -> [String] {
        try await general { connection throws(PostgresError) in try await connection.rows(GamesOpen()) }
    }
}
