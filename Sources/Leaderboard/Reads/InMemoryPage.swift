import Domain
import OrderStatistics

/// Consecutive rows of a board from memory, as ``Store`` would read them.
struct InMemoryPage: Sendable {
    let rows: [RankedRow]
    /// The position of the first row, from 0.
    let start: Int
    /// The number of rows with better points than the first row.
    let better: Int
    /// The number of ranked rows in all.
    let size: Int

    private init(_ set: borrowing RankedSet, from start: Int, limitRows: Int) {
        rows = set.rows(from: start, limit: limitRows)
        self.start = start
        better = rows.first.map { set.better(thanOrderKey: $0.orderKey) } ?? 0
        size = set.count
    }

    /// - Parameter limitRows: One more than is shown. The surplus row is the last one, and before a sort key it is the
    ///   first one; then the row that follows the sort key comes as well.
    init(_ set: borrowing RankedSet, pageRequest: PageRequest, limitRows: Int) {
        switch pageRequest {
        case .from(let position): self.init(set, from: Int(clamping: max(position, 1) - 1), limitRows: limitRows)
        case .after(let sortKey):
            let row = RankedRow(sortKey)
            self.init(set, from: set.position(of: row) + (set.find(row.row) == row ? 1 : 0), limitRows: limitRows)
        case .before(let sortKey):
            let end = set.position(of: RankedRow(sortKey))
            let start = max(0, end - limitRows)
            self.init(set, from: start, limitRows: end - start + 1)
        }
    }

    /// A player's neighbours and the row after them; nil when the player has no row.
    init?(_ set: borrowing RankedSet, around player: Int64, limitRows: Int) {
        guard let position = set.position(ofRow: player) else { return nil }
        self.init(
            set, from: Self.start(around: position, count: set.count, limitRows: limitRows), limitRows: limitRows + 1)
    }

    /// The position of the first neighbour. The row in the middle is as central as the ends of the board allow; of an
    /// even number of rows, one more stands below it than above.
    /// - Parameters:
    ///   - position: The position of the row in the middle, from 0.
    ///   - count: The number of rows on the board.
    ///   - limitRows: The number of rows that are shown.
    static func start(around position: Int, count: Int, limitRows: Int) -> Int {
        max(0, min(position - (limitRows - 1) / 2, count - limitRows))
    }
}

extension RankedRow {
    /// The nearest row to a sort key, whose points may be beyond 64 bits when they are the sum of a window.
    init(_ sortKey: SortKey) {
        self.init(
            orderKey: Int64(clamping: sortKey.orderKey), reachedAt: sortKey.reachedAt.microsecondsSince1970,
            row: sortKey.row)
    }

    var sortKey: SortKey {
        SortKey(orderKey: Int128(orderKey), reachedAt: Instant(microsecondsSince1970: reachedAt), row: row)
    }
}

extension RankPosition {
    init(_ position: RankedPosition, lowestFirst: Bool) {
        func points(_ row: RankedRow?) -> Int128? { row.map { $0.points(lowestFirst: lowestFirst) } }
        self.init(
            sortKey: position.row.sortKey, points: position.row.points(lowestFirst: lowestFirst),
            position: Int64(position.position) + 1, sharedPosition: Int64(position.better) + 1,
            equals: Int64(position.equals), pointsAbove: points(position.above),
            betterPoints: points(position.nextBetter))
    }
}

extension RankedRow {
    func points(lowestFirst: Bool) -> Int128 { lowestFirst ? Int128(orderKey) : 0 - Int128(orderKey) }

    /// The ranking's row, with the name and picture of the player.
    func standing(_ summary: PlayerSummary?, lowestFirst: Bool) -> Standing {
        Standing(
            row: row, name: summary?.name ?? "", avatar: summary?.avatar, flag: summary?.flag,
            points: points(lowestFirst: lowestFirst), reachedAt: Instant(microsecondsSince1970: reachedAt),
            orderKey: Int128(orderKey))
    }
}
