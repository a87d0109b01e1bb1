package import Domain
import Postgres

extension Store {
    /// Finds one season of a score board.
    /// - Parameter season: Nil for the current season.
    /// - Returns: Nil when there is no such game, board or season.
    package func findBoard(_ board: Slug, in game: Slug, season: Int32? = nil, now: Instant) async throws(StoreError)
        -> Board?
    {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(BoardFind(game: game, board: board, season: season, now: now))
        }
    }

    /// The newest seasons of a score board, newest first; empty when there is no such board.
    package func seasons(of board: Slug, in game: Slug, countMax: Int32) async throws(StoreError) -> [(
        number: Int32, endedAt: Instant?
    )] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(BoardSeasons(game: game, board: board, rows: countMax))
        }
    }

    /// Finds the donation board of a charity, which ranks its donors.
    /// - Parameter slug: A charity's slug, or ``Slug/overall``.
    /// - Returns: Nil when there is no such charity.
    package func findDonationBoard(_ slug: Slug, now: Instant) async throws(StoreError) -> Board? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(DonationBoardFind(slug: slug, now: now))
        }
    }

    /// Consecutive rows of a board in its total order (order key, time, row id). Hidden players are left out.
    /// - Parameters:
    ///   - days: The days of the window; nil for the whole season.
    ///   - limitRows: 1...101, one more than is shown. The surplus row is the last one. For a page before a sort key it
    ///     is the first one, and the row at or after the key comes in addition.
    package func page(of board: Board.ID, days: ClosedRange<Day>?, pageRequest: PageRequest, limitRows: Int)
        async throws(StoreError) -> Page
    {
        let rows = Int32(clamping: limitRows)
        if let days { return Page(try await windowRows(of: board, days: days, .pageRequest(pageRequest), rows: rows)) }
        return try await general { connection throws(PostgresError) in
            Page(try await connection.rows(BoardPage(board: board, anchor: .pageRequest(pageRequest), rows: rows)))
        }
    }

    /// A player's row with the nearest rows on either side. Empty when the player has no row or is hidden.
    /// - Parameter sideRows: Rows above and rows below, 1...100 each.
    package func page(of board: Board.ID, days: ClosedRange<Day>?, around player: Player.ID, sideRows: Int)
        async throws(StoreError) -> Page
    {
        let rows = Int32(clamping: sideRows)
        if let days { return Page(try await windowRows(of: board, days: days, .around(player), rows: rows)) }
        return try await general { connection throws(PostgresError) in
            Page(try await connection.rows(BoardPage(board: board, anchor: .around(player), rows: rows)))
        }
    }

    /// The positions of some players, best first. Players who have no row or are hidden are left out.
    /// - Parameter rowIDs: At most 100 player ids, or negative row ids of anonymous donations.
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

    /// Where a player is told that it stands: nil unless that is another place than everybody sees, as it is when
    /// scores are held.
    package func findOwnPlace(of player: Player.ID, on board: Board.ID, days: ClosedRange<Day>?, now: Instant)
        async throws(StoreError) -> SortKey?
    {
        try await general { connection throws(PostgresError) in
            let rows = try await connection.rows(OwnStanding(player: player, board: board, days: days, now: now))
            return rows.first.flatMap(\.self)
        }
    }

    /// Whether scores of a player are held, or voided without the player being told. Else the player stands on each
    /// board where everybody sees.
    package func hasHeldScores(_ player: Player.ID, now: Instant) async throws(StoreError) -> Bool {
        try await general { connection throws(PostgresError) in
            try await connection.row(ScoresAreHeld(player: player, now: now))
        }
    }

    /// The position of a place that only its player is told, among all others.
    /// - Returns: Nil for a player who is hidden.
    package func findOwnPosition(of place: SortKey, on board: Board.ID, lowestFirst: Bool, days: ClosedRange<Day>?)
        async throws(StoreError) -> OwnPosition?
    {
        // Swift 6.3.1 makes a closure that captures a wide integer here jump to nowhere.
        let ofBoard = BoardOwnPosition(board: board, place: place)
        let ofWindow = days.map { WindowOwnPosition(board: board, days: $0, place: place) }
        let rows = try await general { connection throws(PostgresError) in
            guard let ofWindow else { return try await connection.rows(ofBoard) }
            return try await connection.rows(ofWindow)
        }
        guard let found = rows.first else { return nil }
        let position = RankPosition(
            sortKey: place, points: lowestFirst ? place.orderKey : 0 - place.orderKey, position: found.position,
            sharedPosition: found.sharedPosition, equals: found.equals, pointsAbove: found.pointsAbove,
            betterPoints: found.betterPoints)
        return OwnPosition(position: position, size: found.size)
    }

    /// The position that a new player's post with this order key would have now.
    package func pointsPosition(ofOrderKey orderKey: Int64, on board: Board.ID, days: ClosedRange<Day>?)
        async throws(StoreError) -> PointsPosition
    {
        guard let days else {
            return try await general { connection throws(PostgresError) in
                try await connection.row(BoardPointsPosition(board: board, orderKey: orderKey))
            }
        }
        return try await longRead { connection throws(PostgresError) in
            try await connection.row(WindowPointsPosition(board: board, days: days, orderKey: orderKey))
        }
    }

    /// How many rows a board has, without hidden players.
    package func size(of board: Board.ID, days: ClosedRange<Day>?) async throws(StoreError) -> Int64 {
        guard let days else {
            return try await general { connection throws(PostgresError) in
                try await connection.row(BoardSize(board: board))
            }
        }
        return try await longRead { connection throws(PostgresError) in
            try await connection.row(WindowSize(board: board, days: days))
        }
    }

    /// How many rows of a donation board are anonymous donations.
    package func anonymousSize(of board: Board.ID, days: ClosedRange<Day>?) async throws(StoreError) -> Int64 {
        guard let days else {
            return try await general { connection throws(PostgresError) in
                try await connection.row(BoardAnonymousSize(board: board))
            }
        }
        return try await longRead { connection throws(PostgresError) in
            try await connection.row(WindowAnonymousSize(board: board, days: days))
        }
    }

    /// The begin and end of a range of days in the board's time zone.
    package func span(of days: ClosedRange<Day>, on board: Board) async throws(StoreError) -> Range<Instant> {
        try await general { connection throws(PostgresError) in
            try await connection.row(WindowSpan(board: board.id, days: days))
        }
    }

    /// The details that came with the scores behind some rows, by the rows' ids.
    /// - Parameters:
    ///   - rows: At most 100 rows of a board whose policy is not `sum`.
    ///   - asking: The player who asks, whose row may stand where held scores count; nil for what everybody sees.
    /// - Returns: A nil detail for a score that came without one. A row whose score was not found is missing.
    package func details(of rows: [Standing], on board: Board.ID, asking: Player.ID?) async throws(StoreError)
        -> [Int64: String?]
    {
        let query = ScoreDetails(board: board, rows: rows, asking: asking)
        let found = try await general { connection throws(PostgresError) in try await connection.rows(query) }
        return Dictionary(found.map { ($0.row, $0.detail) }) { first, _ in first }
    }

    /// The names and pictures that rankings show of players; unknown players are left out.
    package func summaries(of players: [Player.ID]) async throws(StoreError) -> [PlayerSummary] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(PlayerSummaries(players: players))
        }
    }

    /// The same of the players whose ids are greater than one, in the order of their ids.
    package func summaries(after player: Player.ID, limitRows: Int32) async throws(StoreError) -> [PlayerSummary] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(PlayerSummariesPage(after: player, rows: limitRows))
        }
    }

    /// All charities, ordered by points received, best first.
    package func charities(now: Instant) async throws(StoreError) -> [Charity] {
        try await general { connection throws(PostgresError) in try await connection.rows(CharitiesTop(now: now)) }
    }

    /// The slugs of the games whose classic protocol is open, in which knowing a device's id is enough to speak for it.
    package func openGames() async throws(StoreError) -> [String] {
        try await general { connection throws(PostgresError) in try await connection.rows(GamesOpen()) }
    }

    private func windowRows(
        of board: Board.ID, days: ClosedRange<Day>, _ selection: WindowRows.RowSelection, rows: Int32
    ) async throws(StoreError) -> [(row: PositionedStanding, size: Int64)] {
        try await longRead { connection throws(PostgresError) in
            try await connection.rows(WindowRows(board: board, days: days, selection: selection, rows: rows))
        }
    }
}

extension Page {
    fileprivate init(_ rows: [PageRow]) {
        self.init(
            rows: rows.map(\.standing), position: rows.first?.position, sharedPosition: rows.first?.sharedPosition,
            size: nil)
    }

    fileprivate init(_ rows: [(row: PositionedStanding, size: Int64)]) {
        self.init(
            rows: rows.map(\.row.standing), position: rows.first?.row.rankPosition.position,
            sharedPosition: rows.first?.row.rankPosition.sharedPosition, size: rows.first?.size)
    }
}

// Donations as anybody may see them.
extension Store {
    /// The newest donations first; see `donations_newest.sql`.
    /// - Parameters:
    ///   - charity: Nil for all charities.
    ///   - limitRows: 1...50.
    package func newestDonations(to charity: Slug?, limitRows: Int) async throws(StoreError) -> [PublicDonation] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(DonationsNewest(charity: charity, limitRows: Int32(clamping: limitRows)))
        }
    }

    /// The growth of a charity's total, and its largest donation. It reads every contributor and every donation to the
    /// charity. The result contains nothing about a person.
    /// - Parameter gamesMax: Games whose shares are told.
    package func growth(of charity: Slug, gamesMax: Int) async throws(StoreError) -> (
        days: [CharityGrowth.DayTotal], games: [CharityGrowth.GameShare], largest: LedgerRowID?
    ) {
        try await general { connection throws(PostgresError) in
            (
                days: try await connection.rows(CharityDays(charity: charity)),
                games: try await connection.rows(CharityGames(charity: charity, limitRows: Int32(clamping: gamesMax))),
                largest: try await connection.firstRow(CharityLargest(charity: charity))
            )
        }
    }

    /// A donation as the public sees it now; nil if it is not shown.
    package func findShown(_ donation: LedgerRowID) async throws(StoreError) -> PublicDonation? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(DonationShown(donation: donation))
        }
    }

    /// The players of a game with a name, in any case, who stand on a board, best first; see `players_named.sql`.
    /// - Parameter limitRows: 1...20.
    package func players(named name: String, in game: Slug, on board: Board.ID, limitRows: Int) async throws(StoreError)
        -> [Player.ID]
    {
        let limitRows = Int32(clamping: limitRows)
        return try await general { connection throws(PostgresError) in
            try await connection.rows(PlayersNamed(game: game, name: name, board: board, limitRows: limitRows))
        }
    }
}
