/// The rows of one board in one window, in order: an order-statistic tree in memory with an index by id.
///
/// Finding a row by its id takes constant time on average; everything else about a row takes O(log n). A row takes
/// about 40 bytes. No operation makes everything grow at once: see `RowIndex`. The set has one owner, which guards it,
/// for instance with a `Mutex`. Rows may hold any 64-bit values, and only memory limits their number.
package struct RankedSet: ~Copyable, Sendable {
    private(set) var tree: RowTree
    private(set) var index = RowIndex()
    package private(set) var count = 0
    /// How many of the rows have a negative id.
    package private(set) var negativeCount = 0
    /// The sum of the order keys of all rows.
    package private(set) var orderKeySum: Int128 = 0

    package init() { tree = RowTree() }

    /// Makes a set of rows: see ``RankedSetBuilder``.
    package static func of(_ rows: some Sequence<RankedRow>) -> RankedSet { of(rows, tree: RowTree()) }

    static func of(_ rows: some Sequence<RankedRow>, tree: consuming RowTree) -> RankedSet {
        var builder = RankedSetBuilder(tree: tree)
        for row in rows { builder.append(row) }
        return builder.finish()
    }

    init(tree: consuming RowTree) { self.tree = tree }

    /// Appends a row to the last leaf, while there is no tree above the leaves and the index is empty.
    /// - Returns: False when the row is not greater than all before it; then nothing has changed.
    mutating func append(_ row: RankedRow, to leaves: inout [TreeNode]) -> Bool {
        if let last = leaves.last, row <= last[last.count - 1] { return false }
        tree.append(row, to: &leaves)
        count &+= 1
        if row.row < 0 { negativeCount &+= 1 }
        orderKeySum += Int128(row.orderKey)
        return true
    }

    /// Builds the tree and the index over the leaves. Of several rows with the same id only the last one stays.
    mutating func raise(over leaves: consuming [TreeNode]) {
        if index.fill(leaves, count: count) {
            tree.raise(over: leaves, index: &index)
        } else {
            let capacity = tree.capacity
            var rebuilt = RankedSet(tree: RowTree(capacity: capacity))
            for leaf in leaves { for slot in 0..<leaf.count { rebuilt.set(leaf[slot]) } }
            self = rebuilt
        }
    }

    /// Bytes that the set has allocated, without the allocator's overhead. O(n / 1000).
    package var allocatedBytes: Int { tree.allocatedBytes + index.allocatedBytes }

    /// Inserts a row, or replaces the row with its id. O(log n).
    /// - Returns: The replaced row, which may be equal to the new one; nil when there was none.
    @discardableResult package mutating func set(_ row: RankedRow) -> RankedRow? {
        guard let (leaf, slot) = locate(row.row) else {
            tree.insert(row, index: &index)
            count &+= 1
            if row.row < 0 { negativeCount &+= 1 }
            orderKeySum += Int128(row.orderKey)
            return nil
        }
        let old = leaf[slot]
        guard old != row else { return old }
        let bound = leaf.lowerBound(row)
        if bound > 0, bound < leaf.count {
            // The row stays within this leaf, so neither the tree nor the index changes.
            leaf.replace(at: slot, with: row, lowerBound: bound)
        } else {
            tree.remove(old, index: &index)
            tree.insert(row, index: &index)
        }
        orderKeySum += Int128(row.orderKey) - Int128(old.orderKey)
        return old
    }

    /// Removes the row with an id. O(log n).
    /// - Returns: The removed row; nil when there was none.
    @discardableResult package mutating func remove(_ row: Int64) -> RankedRow? {
        guard let old = find(row) else { return nil }
        tree.remove(old, index: &index)
        count &-= 1
        if row < 0 { negativeCount &-= 1 }
        orderKeySum -= Int128(old.orderKey)
        return old
    }

    /// The row with an id; nil when there is none. O(1) expected.
    package func find(_ row: Int64) -> RankedRow? { locate(row).map { $0.leaf[$0.slot] } }

    /// The rows with some ids, the best first; ids without a row are left out. O(k log k) for k ids.
    /// - Parameter ids: Without duplicates.
    package func rows(withIDs ids: [Int64]) -> [RankedRow] {
        var rows: [RankedRow] = []
        rows.reserveCapacity(ids.count)
        for id in ids { if let row = find(id) { rows.append(row) } }
        rows.sort()
        return rows
    }

    func locate(_ row: Int64) -> (leaf: TreeNode, slot: Int)? {
        var found: (leaf: TreeNode, slot: Int)?
        _ = index.contains(index.tag(row)) { number in
            guard let leaf = tree.leaf(number), let slot = leaf.index(ofRow: row) else { return false }
            found = (leaf, slot)
            return true
        }
        return found
    }
}

extension RankedSet {
    /// Number of rows less than this row, which need not be in the set: 0...count. O(log n).
    package func position(of row: RankedRow) -> Int { tree.spot(of: row)?.position ?? 0 }

    /// The position of the row with an id, from 0; nil when there is none. O(log n).
    package func position(ofRow row: Int64) -> Int? {
        guard let (leaf, slot) = locate(row), let before = tree.leaf(for: leaf[slot])?.before else { return nil }
        return before + slot
    }

    /// Number of rows with a strictly better order key. O(log n).
    package func better(thanOrderKey orderKey: Int64) -> Int { position(of: .first(ofOrderKey: orderKey)) }

    /// Number of rows with a strictly better order key, and with exactly this one. O(log n).
    package func counts(ofOrderKey orderKey: Int64) -> (better: Int, equal: Int) {
        guard let spot = tree.spot(of: .first(ofOrderKey: orderKey)) else { return (0, 0) }
        return (spot.position, end(ofOrderKey: orderKey, leaf: spot.leaf, before: spot.before) - spot.position)
    }

    /// The position of the row with an id; nil when there is none. O(log n): one descent, and up to four more when the
    /// row is the first of its leaf or its key reaches beyond its leaf.
    package func rankedPosition(of row: Int64) -> RankedPosition? {
        guard let (leaf, slot) = locate(row) else { return nil }
        let row = leaf[slot]
        guard let before = tree.leaf(for: row)?.before else { return nil }
        let position = before + slot
        let better = better(thanOrderKey: row.orderKey, leaf: leaf, before: before)
        let above = slot > 0 ? leaf[slot - 1] : tree.row(at: position - 1)
        let nextBetter =
            if better == position { above } else if better > before { leaf[better - before - 1] } else {
                tree.row(at: better - 1)
            }
        return RankedPosition(
            row: row, position: position, better: better,
            equals: end(ofOrderKey: row.orderKey, leaf: leaf, before: before) - better, above: above,
            nextBetter: nextBetter)
    }

    /// The position that a row would have if it stood in place of the one with its id, or beside all when there is
    /// none. O(log n).
    package func rankedPosition(placing row: RankedRow) -> RankedPosition {
        let replaced = find(row.row)
        let counts = counts(ofOrderKey: row.orderKey)
        var (position, better, equals) = (position(of: row), counts.better, counts.equal + 1)
        if let replaced {
            if replaced < row { position -= 1 }
            if replaced.orderKey < row.orderKey { better -= 1 }
            if replaced.orderKey == row.orderKey { equals -= 1 }
        }
        // The last of the rows before a position that is not the replaced one.
        func last(before end: Int) -> RankedRow? {
            let start = max(0, end - 2)
            return rows(from: start, limit: end - start).last { $0.row != row.row }
        }
        return RankedPosition(
            row: row, position: position, better: better, equals: equals, above: last(before: self.position(of: row)),
            nextBetter: last(before: counts.better))
    }

    /// Calls `body` with rows in order, the best first. O(log n + limit).
    /// - Parameters:
    ///   - position: The position of the first row, from 0; a negative one counts as 0, and from `count` on there are
    ///     no rows.
    ///   - limit: Number of rows at most; a negative one counts as 0.
    package func forEach(from position: Int, limit: Int, _ body: (RankedRow) -> Void) {
        guard limit > 0, let spot = tree.spot(at: max(0, position)) else { return }
        var (leaf, slot) = (spot.leaf, spot.slot)
        var left = limit
        while true {
            let end = slot + min(left, leaf.count - slot)
            left -= end - slot
            while slot < end {
                body(leaf[slot])
                slot += 1
            }
            guard left > 0, let next = leaf.next else { return }
            leaf = next
            slot = 0
        }
    }

    /// The rows from a position on, the best first. O(log n + limit).
    /// - Parameters: See `forEach`.
    package func rows(from position: Int, limit: Int) -> [RankedRow] {
        var rows: [RankedRow] = []
        rows.reserveCapacity(max(0, min(limit, count)))
        forEach(from: position, limit: limit) { rows.append($0) }
        return rows
    }

    /// Number of rows with a strictly better order key than this one, which some row of the leaf has.
    private func better(thanOrderKey orderKey: Int64, leaf: TreeNode, before: Int) -> Int {
        let slot = leaf.better(thanOrderKey: orderKey)
        // Only when the first row of the leaf has this key may rows of earlier leaves have it too.
        return slot > 0 ? before + slot : position(of: .first(ofOrderKey: orderKey))
    }

    /// Number of rows with this order key or a better one. The leaf has a row with this key, or is the leaf where its
    /// first row would be inserted.
    private func end(ofOrderKey orderKey: Int64, leaf: TreeNode, before: Int) -> Int {
        let slot = leaf.end(ofOrderKey: orderKey)
        if slot < leaf.count { return before + slot }
        guard let next = leaf.next, next.orderKeys[0] == orderKey else { return before + slot }
        return orderKey == .max ? count : position(of: .first(ofOrderKey: orderKey + 1))
    }
}

/// Builds a set from rows that come one by one. While they come in order, best first, it takes linear time and hardly
/// any memory beside the set's own; from the first row that breaks the order on, each row takes O(log n).
package struct RankedSetBuilder: ~Copyable {
    private var set: RankedSet
    /// All leaves of the set, as long as there is no tree above them.
    private var leaves: [TreeNode] = []
    private var isInOrder = true

    package init() { self.init(tree: RowTree()) }

    init(tree: consuming RowTree) { set = RankedSet(tree: tree) }

    /// Adds a row. Of several rows with the same id the last one counts.
    package mutating func append(_ row: RankedRow) {
        if isInOrder {
            if set.append(row, to: &leaves) { return }
            raise()
        }
        set.set(row)
    }

    package consuming func finish() -> RankedSet {
        if isInOrder { raise() }
        return set
    }

    private mutating func raise() {
        set.raise(over: leaves)
        (leaves, isInOrder) = ([], false)
    }
}
