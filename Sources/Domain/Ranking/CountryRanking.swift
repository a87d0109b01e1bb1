/// What the players who show the flag of a country or region come to on a board.
package struct CountrySum: Sendable, Equatable {
    package let country: CountryFlag
    /// The sum of its best players, as many as the board says; within 2^63-1 either way.
    package let points: Int64
    /// When the newest of these were reached.
    package let reachedAt: Instant
    /// All who have points.
    package let players: Int64

    package init(country: CountryFlag, points: Int64, reachedAt: Instant, players: Int64) {
        (self.country, self.points, self.reachedAt, self.players) = (country, points, reachedAt, players)
    }
}

/// A page of the ranking of countries, or of the regions of one, on a board in one window.
package struct CountryRanking: Sendable, Equatable {
    /// Its rows have codes as names, and as row ids the numbers of flags.
    package let ranking: Ranking
    /// The country whose regions are ranked; nil where countries are.
    package let country: CountryFlag?
    /// How many players of each row have points.
    package let players: [Int64]

    /// - Parameters:
    ///   - sums: All of them, in any order.
    ///   - limitRows: Rows on the page at most.
    package init(
        _ sums: [CountrySum], of country: CountryFlag?, on board: Board, window: Window, days: ClosedRange<Day>?,
        span: Range<Instant>?, isFinal: Bool, pageRequest: PageRequest, limitRows: Int
    ) {
        let all = sums.map { sum in
            (
                row: Standing(
                    row: sum.country.number, name: sum.country.description, avatar: nil, points: Int128(sum.points),
                    reachedAt: sum.reachedAt, orderKey: Int128(board.orderKey(of: sum.points))), players: sum.players
            )
        }.sorted { $0.row.sortKey.precedes($1.row.sortKey) }
        let first: Int
        var end = all.count
        switch pageRequest {
        case .from(let position): first = Int(clamping: min(max(position, 1) - 1, Int64(all.count)))
        case .after(let key): first = all.firstIndex { key.precedes($0.row.sortKey) } ?? all.count
        case .before(let key):
            end = all.firstIndex { !$0.row.sortKey.precedes(key) } ?? all.count
            first = end - min(end, limitRows)
        }
        end = first + min(end - first, limitRows)
        let ranks = Ranks.consecutive(all.map(\.row.points), limitRows: end, ties: board.ties)
        self.country = country
        players = all[first..<end].map(\.players)
        ranking = Ranking(
            board: board, window: window, days: days, span: span, isFinal: isFinal, size: Int64(all.count),
            rows: all[first..<end].map(\.row), ranks: Array(ranks[first...]), hasNext: end < all.count && first < end,
            hasPrevious: first > 0 && first < end)
    }
}
