import Domain
import OrderStatistics

/// Rows of a board as they stand in memory, cut as ``Store`` cuts them.
struct InMemoryPage: Sendable {
    let rows: [RankedRow]
    /// Of the first row, from 0.
    let start: Int
    /// Rows with better points than the first row has.
    let better: Int
    /// How many are ranked in all.
    let size: Int

    private init(_ set: borrowing RankedSet, from start: Int, limitRows: Int) {
        rows = set.rows(from: start, limit: limitRows)
        self.start = start
        better = rows.first.map { set.counts(ofOrderKey: $0.orderKey).better } ?? 0
        size = set.count
    }

    /// - Parameter limitRows: One more than is shown. Before a place the surplus row is the first one, and the row that
    ///   follows the place comes with it; else it is the last.
    init(_ set: borrowing RankedSet, pageRequest: PageRequest, limitRows: Int) {
        switch pageRequest {
        case .from(let position):
            self.init(set, from: Int(clamping: max(position, 1) - 1), limitRows: limitRows)
        case .after(let sortKey):
            let row = RankedRow(sortKey)
            self.init(set, from: set.position(of: row) + (set.find(row.row) == row ? 1 : 0), limitRows: limitRows)
        case .before(let sortKey):
            let end = set.position(of: RankedRow(sortKey))
            let start = max(0, end - limitRows)
            self.init(set, from: start, limitRows: end - start + 1)
        }
    }

    /// A player's neighbours and the row after them; nil without a row of the player.
    init?(_ set: borrowing RankedSet, around player: Int64, limitRows: Int) {
        guard let row = set.find(player) else { return nil }
        self.init(
            set,
            from: Self.start(around: set.position(of: row), count: set.count, limitRows: limitRows),
            limitRows: limitRows + 1
        )
    }

    /// Where neighbours begin: the one in the middle is as central as the ends allow; of an even number the odd one
    /// stands below.
    /// - Parameters:
    ///   - position: Of the one in the middle, from 0.
    ///   - count: How many there are in all.
    ///   - limitRows: How many are shown.
    static func start(around position: Int, count: Int, limitRows: Int) -> Int {
        max(0, min(position - (limitRows - 1) / 2, count - limitRows))
    }
}

extension RankedRow {
    /// The place nearest to one that may lie beyond 64 bits, as a window's sum can.
    init(_ sortKey: SortKey) {
        self.init(
            orderKey: Int64(clamping: sortKey.orderKey),
            reachedAt: sortKey.reachedAt.microsecondsSince1970,
            row: sortKey.row
        )
    }

    var sortKey: SortKey {
        SortKey(orderKey: Int128(orderKey), reachedAt: Instant(microsecondsSince1970: reachedAt), row: row)
    }
}

extension RankPosition {
    init(_ position: RankedPosition, lowestFirst: Bool) {
        func points(_ row: RankedRow?) -> Int128? { row.map { $0.points(lowestFirst: lowestFirst) } }
        self.init(
            sortKey: position.row.sortKey,
            points: position.row.points(lowestFirst: lowestFirst),
            position: Int64(position.position) + 1,
            sharedPosition: Int64(position.better) + 1,
            equals: Int64(position.equals),
            pointsAbove: points(position.above),
            betterPoints: points(position.nextBetter)
        )
    }
}

extension RankedRow {
    func points(lowestFirst: Bool) -> Int128 {
        lowestFirst ? Int128(orderKey) : 0 - Int128(orderKey)
    }

    /// The row of a ranking.
    func standing(_ summary: PlayerSummary?, lowestFirst: Bool) -> Standing {
        Standing(
            row: row,
            name: summary?.name ?? "",
            avatar: summary?.avatar,
            points: points(lowestFirst: lowestFirst),
            reachedAt: Instant(microsecondsSince1970: reachedAt),
            orderKey: Int128(orderKey)
        )
    }
}
