package import Domain
import Postgres

extension Store {
    /// - Parameter season: Nil for the one that is played now.
    /// - Returns: One season of a score board; nil when there is no such game, board or season.
    package func findBoard(_ board: Slug, in game: Slug, season: Int32? = nil, now: Instant) async throws(StoreError) -> Board? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(BoardFind(game: game, board: board, season: season, now: now))
        }
    }

    /// The seasons of a score board, the newest first; none when there is no such board.
    package func seasons(of board: Slug, in game: Slug) async throws(StoreError) -> [(number: Int32, endedAt: Instant?)] {
        try await general { connection throws(PostgresError) in try await connection.rows(BoardSeasons(game: game, board: board)) }
    }

    /// - Parameter slug: A charity's, or ``Slug/overall``.
    /// - Returns: The board of those who gave; nil when there is no such charity.
    package func findGivingBoard(_ slug: Slug, now: Instant) async throws(StoreError) -> Board? {
        try await general { connection throws(PostgresError) in try await connection.firstRow(GivingBoardFind(slug: slug, now: now)) }
    }

    /// Consecutive rows of a board in the one total order; hidden players are nowhere.
    /// - Parameters:
    ///   - days: Nil for all time of the season.
    ///   - limitRows: 1...101, one more than is shown. Before a place the surplus row is the first one, and the row that follows the place comes
    ///     with it; else it is the last.
    ///   - countsAll: Whether the page says how many are ranked in all.
    package func page(of board: Board, days: ClosedRange<Day>?, cut: Cut, limitRows: Int, countsAll: Bool) async throws(StoreError) -> Page
    {
        let rows = Int32(clamping: limitRows)
        var page: Page
        if let days {
            page = Page(try await windowRows(of: board, days: days, .cut(cut), rows: rows))
        } else {
            page = try await general { connection throws(PostgresError) in
                switch cut {
                case .from(let position):
                    Page(
                        try await connection.rows(
                            BoardPage(
                                board: board.id, after: nil, skippedRows: max(position, 1) - 1, rows: rows, countsAll: countsAll)))
                case .after(let place):
                    Page(
                        try await connection.rows(
                            BoardPage(board: board.id, after: place, skippedRows: 0, rows: rows, countsAll: countsAll)))
                case .before(let place):
                    Page(try await connection.rows(BoardPageBefore(board: board.id, place: place, rows: rows, countsAll: countsAll)))
                }
            }
        }
        // A page beyond the last row says nothing of the others.
        if countsAll, page.size == nil { page.size = try await size(of: board, days: days) }
        return page
    }

    /// A player's row with the nearest on either side; no rows without a row of the player.
    /// - Parameter sideRows: 1...100, as many above and below.
    package func page(of board: Board, days: ClosedRange<Day>?, around player: Player.ID, sideRows: Int, countsAll: Bool)
        async throws(StoreError) -> Page
    {
        let rows = Int32(clamping: sideRows)
        if let days { return Page(try await windowRows(of: board, days: days, .around(player), rows: rows)) }
        return try await general { connection throws(PostgresError) in
            Page(try await connection.rows(BoardAround(board: board.id, player: player, rows: rows, countsAll: countsAll)))
        }
    }

    /// Where some players stand, best first; who has no row, or is hidden, is left out.
    /// - Parameter rowIDs: At most 100 player ids, negative for what the player gave anonymously.
    package func places(of rowIDs: [Int64], on board: Board.ID, days: ClosedRange<Day>?, countsAll: Bool) async throws(StoreError)
        -> [PlayerPlace]
    {
        try await general { connection throws(PostgresError) in
            guard let days else { return try await connection.rows(BoardPlaces(board: board, rowIDs: rowIDs, countsAll: countsAll)) }
            return try await connection.rows(
                WindowRows(board: board, days: days, choice: .rowIDs(rowIDs), rows: Int32(clamping: rowIDs.count)))
        }
    }

    /// Where a post of somebody new would stand now.
    package func place(ofOrderKey orderKey: Int64, on board: Board.ID, days: ClosedRange<Day>?) async throws(StoreError) -> PointsPlace {
        try await general { connection throws(PostgresError) in
            guard let days else { return try await connection.row(BoardPointsPlace(board: board, orderKey: orderKey)) }
            return try await connection.row(WindowPointsPlace(board: board, days: days, orderKey: orderKey))
        }
    }

    /// How many stand on a board; hidden players do not.
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

    /// The best single posts of a board that keeps the best, each with the name it came with.
    /// - Parameter limitRows: 1...100.
    package func bestPosts(of board: Board.ID, limitRows: Int) async throws(StoreError) -> [Post] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(BestPosts(board: board, rows: Int32(clamping: limitRows)))
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

    private func windowRows(of board: Board, days: ClosedRange<Day>, _ choice: WindowRows.Choice, rows: Int32) async throws(StoreError)
        -> [PlayerPlace]
    {
        try await general { connection throws(PostgresError) in
            try await connection.rows(WindowRows(board: board.id, days: days, choice: choice, rows: rows))
        }
    }
}

extension Page {
    fileprivate init(_ rows: [PageRow]) {
        self.init(
            rows: rows.map(\.standing), position: rows.first?.position, sharedPosition: rows.first?.sharedPosition, size: rows.first?.size)
    }

    fileprivate init(_ places: [PlayerPlace]) {
        self.init(
            rows: places.map(\.standing), position: places.first?.position, sharedPosition: places.first?.sharedPosition,
            size: places.first?.size)
    }
}
