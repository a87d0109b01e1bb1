/// A page of the charity board.
package struct CharityRanking: Sendable, Equatable {
    /// Best first, in the one total order.
    package let rows: [Charity]
    /// One rank for each row.
    package let ranks: [Rank]
    /// Number of all charities.
    package let size: Int
    package let hasNext: Bool
    package let hasPrevious: Bool

    /// - Parameters:
    ///   - all: Every charity, best first.
    ///   - limitRows: Rows on the page at most.
    package init(all: [Charity], pageRequest: PageRequest, limitRows: Int) {
        let first: Int
        var end = all.count
        switch pageRequest {
        case .from(let position): first = Int(clamping: min(max(position, 1) - 1, Int64(all.count)))
        case .after(let sortKey): first = all.firstIndex { sortKey.precedes($0.sortKey) } ?? all.count
        case .before(let sortKey):
            end = all.firstIndex { !$0.sortKey.precedes(sortKey) } ?? all.count
            first = end - min(end, limitRows)
        }
        end = first + min(end - first, limitRows)
        rows = Array(all[first..<end])
        ranks = Array(Ranks.consecutive(all.map(\.points), limitRows: end, ties: .first)[first...])
        size = all.count
        hasNext = end < all.count && !rows.isEmpty
        hasPrevious = first > 0 && !rows.isEmpty
    }
}
