package import Domain
import Storage

// Rankings among the players who show a flag, and of countries and regions by the points of these players.
extension Rankings {
    /// Consecutive rows of the players who show the flag of a country or region, best first. Their ranks are those on
    /// the board.
    /// - Parameters:
    ///   - days: The window's days if a cursor has fixed them; nil resolves the window now.
    ///   - limitRows: 1...100.
    package func ranking(
        of board: Board, window: Window, days: ClosedRange<Day>?, country: CountryFlag, pageRequest: PageRequest,
        limitRows: Int, includesTotal: Bool, includesDetails: Bool = false
    ) async throws -> Ranking {
        let days = days ?? window.days(today: board.today)
        var page = try await page(of: board, days: days, country: country, pageRequest, limitRows: limitRows + 1)
        if includesTotal, page.size == nil {
            page.size = try await self.page(of: board, days: days, country: country, .top, limitRows: 1).size ?? 0
        }
        var places = Self.ranks(page, ties: board.ties)
        var shown = 0..<min(page.rows.count, limitRows)
        if case .before(let sortKey) = pageRequest {
            let end = page.rows.firstIndex { !$0.sortKey.precedes(sortKey) } ?? page.rows.count
            shown = max(0, end - limitRows)..<end
        }
        let hasNext = shown.upperBound < page.rows.count && !shown.isEmpty
        let hasPrevious = (page.position ?? 1) + Int64(shown.lowerBound) > 1 && !shown.isEmpty
        page.rows.keep(shown)
        places.keep(shown)
        let positioned = try await positioned(page.rows.compactMap(\.player), on: board, days: days)
        let ranks = Dictionary(positioned.map { ($0.standing.sortKey.row, $0.rankPosition.rank(board.ties)) }) { $1 }
        // Who was hidden in between has a place no more.
        let still = page.rows.indices.filter { ranks[page.rows[$0].sortKey.row] != nil }
        page.rows = still.map { page.rows[$0] }
        return try await ranking(
            of: board, window: window, days: days, page, page.rows.compactMap { ranks[$0.sortKey.row] },
            among: Ranking.Among(players: .country(country), places: still.map { places[$0].number }), hasNext: hasNext,
            hasPrevious: hasPrevious, includesTotal: includesTotal, detailsFor: includesDetails ? .everybody : nil)
    }

    /// A page of the ranking of countries, or of the regions of one.
    /// - Parameters:
    ///   - country: The country of the regions; nil for countries.
    ///   - days: The window's days if a cursor has fixed them; nil resolves the window now.
    ///   - limitRows: 1...100.
    package func countries(
        on board: Board, in country: CountryFlag?, window: Window, days: ClosedRange<Day>?, pageRequest: PageRequest,
        limitRows: Int
    ) async throws -> CountryRanking {
        let days = days ?? window.days(today: board.today)
        let sums = try await inTurn { () async throws(StoreError) in
            try await store.countrySums(of: board.id, days: days, in: country)
        }
        var span: Range<Instant>?
        if let days { span = try await boardCache.span(of: days, on: board) }
        return CountryRanking(
            sums, of: country, on: board, window: window, days: days, span: span,
            isFinal: Self.isFinal(board, span: span, now: clock.now), pageRequest: pageRequest, limitRows: limitRows)
    }

    private func page(
        of board: Board, days: ClosedRange<Day>?, country: CountryFlag, _ pageRequest: PageRequest, limitRows: Int
    ) async throws(StoreError) -> Page {
        try await inTurn { () async throws(StoreError) in
            try await store.page(
                of: board.id, days: days, country: country, pageRequest: pageRequest, limitRows: limitRows)
        }
    }
}
