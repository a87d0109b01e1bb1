package import Domain
import Postgres

extension Store {
    /// - Parameter season: Nil for the one that is played now.
    /// - Returns: One season of a score board; nil when there is no such game, board or season.
    package func findBoard(_ board: Slug, in game: Slug, season: Int32? = nil, now: Instant) async throws(StoreError)
        -> Board?
    {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(BoardFind(game: game, board: board, season: season, now: now))
        }
    }

    /// The seasons of a score board, the newest first; none when there is no such board.
    package func seasons(of board: Slug, in game: Slug) async throws(StoreError) -> [(number: Int32, endedAt: Instant?)]
    {
        try await general { connection throws(PostgresError) in
            try await connection.rows(BoardSeasons(game: game, board: board))
        }
    }

    /// - Parameter slug: A charity's, or ``Slug/overall``.
    /// - Returns: The board of those who gave; nil when there is no such charity.
    package func findGivingBoard(_ slug: Slug, now: Instant) async throws(StoreError) -> Board? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(GivingBoardFind(slug: slug, now: now))
        }
    }

    /// Consecutive rows of a board in the one total order; hidden players are nowhere.
    /// - Parameters:
    ///   - days: Nil for all time of the season.
    ///   - limitRows: 1...101, one more than is shown. Before a place the surplus row is the first one, and the row
    ///     that follows the place comes
    ///     with it; else it is the last.
    package func page(of board: Board.ID, days: ClosedRange<Day>?, pageRequest: PageRequest, limitRows: Int)
        async throws(StoreError) -> Page
    {
        let rows = Int32(clamping: limitRows)
        if let days { return Page(try await windowRows(of: board, days: days, .pageRequest(pageRequest), rows: rows)) }
        return try await general { connection throws(PostgresError) in
            Page(try await connection.rows(BoardPage(board: board, anchor: .pageRequest(pageRequest), rows: rows)))
        }
    }

    /// A player's row with the nearest on either side; no rows without a row of the player.
    /// - Parameter sideRows: 1...100, as many above and below.
    package func page(of board: Board.ID, days: ClosedRange<Day>?, around player: Player.ID, sideRows: Int)
        async throws(StoreError) -> Page
    {
        let rows = Int32(clamping: sideRows)
        if let days { return Page(try await windowRows(of: board, days: days, .around(player), rows: rows)) }
        return try await general { connection throws(PostgresError) in
            Page(try await connection.rows(BoardPage(board: board, anchor: .around(player), rows: rows)))
        }
    }

    /// Where some players stand, best first; who has no row, or is hidden, is left out.
    /// - Parameter rowIDs: At most 100 player ids, negative for what the player gave anonymously.
    package func rankPositions(of rowIDs: [Int64], on board: Board.ID, days: ClosedRange<Day>?) async throws(StoreError)
        -> [PositionedStanding]
    {
        if let days {
            return try await windowRows(of: board, days: days, .rowIDs(rowIDs), rows: Int32(clamping: rowIDs.count))
                .map(\.row)
        }
        return try await general { connection throws(PostgresError) in
            try await connection.rows(BoardPositions(board: board, rowIDs: rowIDs))
        }
    }

    /// Where a post of somebody new would stand now.
    package func pointsPosition(ofOrderKey orderKey: Int64, on board: Board.ID, days: ClosedRange<Day>?)
        async throws(StoreError) -> PointsPosition
    {
        try await general { connection throws(PostgresError) in
            guard let days else {
                return try await connection.row(BoardPointsPosition(board: board, orderKey: orderKey))
            }
            return try await connection.row(WindowPointsPosition(board: board, days: days, orderKey: orderKey))
        }
    }

    /// How many stand on a board; hidden players do not.
    package func size(of board: Board.ID, days: ClosedRange<Day>?) async throws(StoreError) -> Int64 {
        try await general { connection throws(PostgresError) in
            guard let days else { return try await connection.row(BoardSize(board: board)) }
            return try await connection.row(WindowSize(board: board, days: days))
        }
    }

    /// When a range of days begins and ends in the board's zone.
    package func span(of days: ClosedRange<Day>, on board: Board) async throws(StoreError) -> Range<Instant> {
        try await general { connection throws(PostgresError) in
            try await connection.row(WindowSpan(board: board.id, days: days))
        }
    }

    /// The best single posts of a board that keeps the best, each with the name it came with.
    /// - Parameter limitRows: 1...100.
    package func bestPosts(of board: Board.ID, limitRows: Int) async throws(StoreError) -> [Post] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(BestPosts(board: board, rows: Int32(clamping: limitRows)))
        }
    }

    /// What rankings show of players beside their points.
    package func summaries(of players: [Player.ID]) async throws(StoreError) -> [PlayerSummary] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(PlayerSummaries(players: players))
        }
    }

    /// The same of the players whose ids follow one, by their ids.
    package func summaries(after player: Player.ID, limitRows: Int32) async throws(StoreError) -> [PlayerSummary] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(PlayerSummariesPage(after: player, rows: limitRows))
        }
    }

    /// All charities by points received, best first.
    package func charities(now: Instant) async throws(StoreError) -> [Charity] {
        try await general { connection throws(PostgresError) in try await connection.rows(CharitiesTop(now: now)) }
    }

    /// The slugs of the games in which who knows a device id speaks for the device.
    package func openGames() async throws(StoreError) -> [String] {
        try await general { connection throws(PostgresError) in try await connection.rows(GamesOpen()) }
    }

    private func windowRows(
        of board: Board.ID,
        days: ClosedRange<Day>,
        _ selection: WindowRows.RowSelection,
        rows: Int32
    ) async throws(StoreError)
        -> [(row: PositionedStanding, size: Int64)]
    {
        try await general { connection throws(PostgresError) in
            try await connection.rows(WindowRows(board: board, days: days, selection: selection, rows: rows))
        }
    }
}

extension Page {
    fileprivate init(_ rows: [PageRow]) {
        self.init(
            rows: rows.map(\.standing),
            position: rows.first?.position,
            sharedPosition: rows.first?.sharedPosition,
            size: nil
        )
    }

    fileprivate init(_ rows: [(row: PositionedStanding, size: Int64)]) {
        self.init(
            rows: rows.map(\.row.standing),
            position: rows.first?.row.rankPosition.position,
            sharedPosition: rows.first?.row.rankPosition.sharedPosition,
            size: rows.first?.size
        )
    }
}
