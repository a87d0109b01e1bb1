/// The rows of one board in one window, by place: exact order statistics in memory.
///
/// Of n rows, reading by id takes constant time on average, everything else that concerns one row O(log n); about 40 bytes a row. It has one owner, who
/// guards it: nothing in it waits or locks. Any 64-bit values will do.
package struct RankedSet: ~Copyable {
    private var rows = RowSlab()
    private var table: SlotTable
    private var tree = SlotTree()

    package init() {
        table = SlotTable(seed: .random(in: .min ... .max))
    }

    /// Makes a set of rows in any order: in linear time when they are sorted, which is found out.
    /// - Parameter rows: Of several rows of one player the best counts.
    package init(sorting rows: consuming [RankedRow]) {
        self.init()
        if !Self.isSorted(rows) { rows.sort() }
        table.reserve(rows.count)
        var slots: [UInt32] = []
        slots.reserveCapacity(rows.count)
        for row in rows where table.find(row.row, in: self.rows) == nil {
            guard let slot = self.rows.take(row) else { break }
            guard table.insert(row.row, slot: slot, in: self.rows) else { break }
            slots.append(slot)
        }
        tree.build(slots, in: self.rows)
    }

    package var count: Int { tree.count }

    /// Bytes that the set has taken from the system.
    package var allocatedBytes: Int { rows.allocatedBytes + table.allocatedBytes + tree.allocatedBytes }

    /// Inserts a player's row, or moves it.
    /// - Returns: The one that it replaces; nil when there was none, and when 2^32 - 1 rows are there already, which leaves the set as it is.
    @discardableResult
    package mutating func set(_ row: RankedRow) -> RankedRow? {
        if let slot = table.find(row.row, in: rows) {
            let old = rows[slot]
            guard old != row else { return old }
            tree.remove(slot, old)
            rows[slot] = row
            _ = tree.insert(slot, row, in: rows)
            return old
        }
        guard let slot = rows.take(row) else { return nil }
        guard table.insert(row.row, slot: slot, in: rows) else {
            rows.giveBack(slot)
            return nil
        }
        guard tree.insert(slot, row, in: rows) else {
            table.remove(row.row, slot: slot)
            rows.giveBack(slot)
            return nil
        }
        return nil
    }

    /// - Parameter id: Whose row.
    /// - Returns: The row, which is gone; nil when there was none.
    @discardableResult
    package mutating func remove(_ id: Int64) -> RankedRow? {
        guard let slot = table.find(id, in: rows) else { return nil }
        let row = rows[slot]
        tree.remove(slot, row)
        table.remove(id, slot: slot)
        rows.giveBack(slot)
        return row
    }

    private static func isSorted(_ rows: borrowing [RankedRow]) -> Bool {
        for index in rows.indices.dropFirst() where rows[index] < rows[index - 1] { return false }
        return true
    }
}

// SAFETY: the memory behind its pointers is its own, and it cannot be copied.
extension RankedSet: @unchecked Sendable {}

extension RankedSet {
    /// - Parameter id: Whose row.
    package func find(_ id: Int64) -> RankedRow? {
        table.find(id, in: rows).map { rows[$0] }
    }

    /// How many rows stand before a place, whether or not a row is there: 0...count.
    package func position(of row: RankedRow) -> Int {
        tree.position(of: row, in: rows)
    }

    /// How many rows have a better order key than this one, and how many have this one.
    package func counts(ofOrderKey orderKey: Int64) -> (better: Int, equal: Int) {
        let better = position(of: .first(ofOrderKey: orderKey))
        return (better, end(ofOrderKey: orderKey) - better)
    }

    /// - Parameter id: Whose row.
    package func place(of id: Int64) -> RankedPlace? {
        guard let slot = table.find(id, in: rows) else { return nil }
        let row = rows[slot]
        let position = tree.position(of: row, slot: slot)
        var (above, below): (RankedRow?, RankedRow?) = (nil, nil)
        var index = max(position - 1, 0)
        forEach(from: index, limit: position + 2 - index) { neighbour in
            if index < position { above = neighbour } else if index > position { below = neighbour }
            index += 1
        }
        // Only where a neighbour has the same points does it take a look at how many have.
        let hasEqualAbove = above?.orderKey == row.orderKey
        let better = hasEqualAbove ? self.position(of: .first(ofOrderKey: row.orderKey)) : position
        let end = below?.orderKey == row.orderKey ? end(ofOrderKey: row.orderKey) : position + 1
        return RankedPlace(
            row: row, position: position, better: better, equals: end - better, above: above,
            nextBetter: hasEqualAbove ? self.row(at: better - 1) : above)
    }

    /// Hands out rows, the best first.
    /// - Parameters:
    ///   - position: Of the first row, from 0; none beyond the last.
    ///   - limit: How many at most.
    package func forEach(from position: Int, limit: Int, _ body: (RankedRow) -> Void) {
        tree.forEach(from: position, limit: limit) { body(rows[$0]) }
    }

    /// Rows from a position on, the best first.
    package func rows(from position: Int, limit: Int) -> [RankedRow] {
        var found: [RankedRow] = []
        found.reserveCapacity(max(0, min(limit, count - max(position, 0))))
        forEach(from: position, limit: limit) { found.append($0) }
        return found
    }

    private func row(at position: Int) -> RankedRow? {
        var row: RankedRow?
        forEach(from: position, limit: 1) { row = $0 }
        return row
    }

    /// The position after the last row that has this order key.
    private func end(ofOrderKey orderKey: Int64) -> Int {
        let (next, isLast) = orderKey.addingReportingOverflow(1)
        return isLast ? count : position(of: .first(ofOrderKey: next))
    }
}
