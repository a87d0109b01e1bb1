import Concurrency
import Domain
import OrderStatistics

/// The players that a partial ranking covers, such as a player and its friends.
package struct MemberSet: Sendable, Equatable {
    /// Without duplicates, by ascending id.
    let players: [Int64]

    init(_ players: [Player.ID]) { self.players = Set(players.map(\.rawValue)).sorted() }

    /// Some rows of the members, with their positions among all rows.
    struct Page {
        /// The rows of all members, best first.
        let rows: [RankedRow]
        /// Which of them are shown.
        let shown: Range<Int>
        /// The positions of those that are shown, in the same order.
        let positions: [RankedPosition]
        /// The row that `own` replaces.
        let replaced: RankedRow?
    }

    /// Some rows of the members. O(k log k + m log n) for k members and m rows that are shown. It runs under the lock
    /// of the rows, so a set has fewer members than ``Limits/windowChangesMax``.
    /// - Parameters:
    ///   - own: A row that takes the place of a member's; nil for none.
    ///   - first: The position among the members at which the rows begin, from 1.
    func page(of rows: borrowing RankedSet, placing own: RankedRow?, from first: Int64, limitRows: Int) -> Page {
        var found = rows.rows(withIDs: players)
        var replaced: RankedRow?
        if let own {
            replaced = found.firstIndex { $0.row == own.row }.map { found.remove(at: $0) }
            found.insert(own, at: found.firstIndex { own < $0 } ?? found.endIndex)
        }
        let shown = Self.shown(of: found.count, from: first, limitRows: limitRows)
        var positions: [RankedPosition] = []
        positions.reserveCapacity(shown.count)
        for row in found[shown] {
            let position = row == own ? rows.rankedPosition(placing: row) : rows.rankedPosition(of: row.row)
            if let position { positions.append(position) }
        }
        return Page(rows: found, shown: shown, positions: positions, replaced: replaced)
    }

    /// Which rows of so many are shown.
    /// - Parameter first: The position at which they begin, from 1.
    static func shown(of count: Int, from first: Int64, limitRows: Int) -> Range<Int> {
        let start = Int(clamping: min(max(first, 1) - 1, Int64(count)))
        return start..<(start + min(count - start, max(0, limitRows)))
    }
}

extension MemberSet: CacheSized {
    /// The heap storage of the players, plus an entry of a dictionary that is a little over half full.
    package var bytesInCache: Int { 128 + 8 * players.count }
}
