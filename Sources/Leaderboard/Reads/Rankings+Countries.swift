package import Domain
import OrderStatistics
import Storage

// Rankings among the players who show a flag, and of countries and regions by the points of these players.
extension Rankings {
    /// Consecutive rows of the players who show the flag of a country or region, best first. Their ranks are those on
    /// the board.
    /// - Parameters:
    ///   - days: The window's days if a cursor has fixed them; nil resolves the window now.
    ///   - limitRows: 1...100.
    /// - Returns: The ranking, and whether it comes from memory. What SQL read may be older than the version of memory
    ///   from before the read, so nobody may keep it.
    package func ranking(
        of board: Board, window: Window, days: ClosedRange<Day>?, country: CountryFlag, pageRequest: PageRequest,
        limitRows: Int, includesTotal: Bool, includesDetails: Bool = false
    ) async throws -> (ranking: Ranking, isFromMemory: Bool) {
        let days = days ?? window.days(today: board.today)
        var found = try await page(of: board, days: days, country: country, pageRequest, limitRows: limitRows + 1)
        var page = found.page
        if includesTotal, page.size == nil {
            page.size = try await self.page(of: board, days: days, country: country, .top, limitRows: 1).page.size ?? 0
        }
        var places = Self.ranks(page, ties: board.ties)
        let shown = page.trim(to: limitRows, for: pageRequest)
        places.keep(shown.rows)
        if found.ranks == nil {
            let positioned = try await positioned(page.rows.compactMap(\.player), on: board, days: days)
            found.ranks = Dictionary(positioned.map { ($0.standing.sortKey.row, $0.rankPosition.rank(board.ties)) }) {
                $1
            }
        }
        let ranks = found.ranks ?? [:]
        // Who was hidden in between has a place no more.
        let still = page.rows.indices.filter { ranks[page.rows[$0].sortKey.row] != nil }
        page.rows = still.map { page.rows[$0] }
        let ranking = try await ranking(
            of: board, window: window, days: days, page, page.rows.compactMap { ranks[$0.sortKey.row] },
            among: Ranking.Among(players: .country(country), places: still.map { places[$0].number }),
            hasNext: shown.hasNext, hasPrevious: shown.hasPrevious, includesTotal: includesTotal,
            detailsFor: includesDetails ? .everybody : nil)
        return (ranking, found.isFromMemory && !ranking.awaitsDetails)
    }

    /// A page of the ranking of countries, or of the regions of one.
    /// - Parameters:
    ///   - country: The country of the regions; nil for countries.
    ///   - days: The window's days if a cursor has fixed them; nil resolves the window now.
    ///   - limitRows: 1...100.
    /// - Returns: As ``ranking(of:window:days:country:pageRequest:limitRows:includesTotal:includesDetails:)``.
    package func countries(
        on board: Board, in country: CountryFlag?, window: Window, days: ClosedRange<Day>?, pageRequest: PageRequest,
        limitRows: Int
    ) async throws -> (ranking: CountryRanking, isFromMemory: Bool) {
        let days = days ?? window.days(today: board.today)
        let best = Int(board.countries.best ?? 0)
        let inMemory = standings.flaggedRows(of: board, days: days)?.sums(
            in: country, best: best, lowestFirst: board.lowestFirst)
        let sums: [CountrySum]
        if let inMemory {
            sums = inMemory
        } else {
            sums = try await inTurn { () async throws(StoreError) in
                try await store.countrySums(of: board.id, days: days, in: country)
            }
        }
        var span: Range<Instant>?
        if let days { span = try await boardCache.span(of: days, on: board) }
        let ranking = CountryRanking(
            sums, of: country, on: board, window: window, days: days, span: span,
            isFinal: Self.isFinal(board, span: span, now: clock.now), pageRequest: pageRequest, limitRows: limitRows)
        return (ranking, inMemory != nil)
    }

    /// A page as it was read.
    private struct CountryPage {
        /// Its positions are those among the players.
        var page: Page
        /// The ranks on the board by rows; nil where they are not known yet.
        var ranks: [Int64: Rank]?
        let isFromMemory: Bool
    }

    private func page(
        of board: Board, days: ClosedRange<Day>?, country: CountryFlag, _ pageRequest: PageRequest, limitRows: Int
    ) async throws(StoreError) -> CountryPage {
        let inMemory = standings.flaggedRows(of: board, days: days)?.page(
            of: country, pageRequest: pageRequest, limitRows: limitRows)
        guard let (found, positions) = inMemory else {
            let page = try await inTurn { () async throws(StoreError) in
                try await store.page(
                    of: board.id, days: days, country: country, pageRequest: pageRequest, limitRows: limitRows)
            }
            return CountryPage(page: page, ranks: nil, isFromMemory: false)
        }
        let summaries = try await summaries.summaries(of: found.rows.map(\.row))
        var ranks: [Int64: Rank] = [:]
        for position in positions.compactMap(\.self) {
            ranks[position.row.row] = RankPosition(position, lowestFirst: board.lowestFirst).rank(board.ties)
        }
        let page = Page(
            rows: zip(found.rows, summaries).map { $0.standing($1, lowestFirst: board.lowestFirst) },
            position: found.rows.isEmpty ? nil : Int64(found.start) + 1,
            sharedPosition: found.rows.isEmpty ? nil : Int64(found.better) + 1, size: Int64(found.size))
        return CountryPage(page: page, ranks: ranks, isFromMemory: true)
    }
}
