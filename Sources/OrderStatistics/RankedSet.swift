/// The rows of one board in one window by place: exact order statistics in memory.
///
/// Finding a row by its id takes constant time on average; everything else about a row takes O(log n). It takes about
/// 40 bytes a row. No operation makes everything grow at once: see `RowIndex`. It has one owner, who guards it, for
/// instance by a `Mutex`. Any 64-bit values are taken; memory is the only limit of how many rows there are.
package struct RankedSet: ~Copyable, Sendable {
    private(set) var tree: RowTree
    private(set) var index = RowIndex()
    package private(set) var count = 0

    package init() {
        tree = RowTree()
    }

    /// Puts rows together: see ``RankedSetBuilder``.
    package static func of(_ rows: some Sequence<RankedRow>) -> RankedSet {
        of(rows, tree: RowTree())
    }

    static func of(_ rows: some Sequence<RankedRow>, tree: consuming RowTree) -> RankedSet {
        var builder = RankedSetBuilder(tree: tree)
        for row in rows { builder.append(row) }
        return builder.finish()
    }

    init(tree: consuming RowTree) {
        self.tree = tree
    }

    /// Adds a row behind all others while there are only leaves, which the index does not know yet.
    /// - Returns: False when it does not come behind all others: nothing has changed then.
    mutating func append(_ row: RankedRow, to leaves: inout [TreeNode]) -> Bool {
        if let last = leaves.last, row <= last[last.count - 1] { return false }
        tree.append(row, to: &leaves)
        count &+= 1
        return true
    }

    /// Makes the leaves a tree. Of several rows with the same id the last stays.
    mutating func raise(over leaves: consuming [TreeNode]) {
        if index.fill(leaves, count: count) {
            tree.raise(over: leaves, index: &index)
        } else {
            let capacity = tree.capacity
            var again = RankedSet(tree: RowTree(capacity: capacity))
            for leaf in leaves {
                for slot in 0..<leaf.count { again.set(leaf[slot]) }
            }
            self = again
        }
    }

    /// Bytes that the set has taken from the system, without what the allocator adds. O(n / 1000).
    package var allocatedBytes: Int { tree.allocatedBytes + index.allocatedBytes }

    /// Inserts a row, or moves the one with its id. O(log n).
    /// - Returns: The row that it replaces, which may be equal to it; nil when there was none.
    @discardableResult
    package mutating func set(_ row: RankedRow) -> RankedRow? {
        guard let (leaf, slot) = locate(row.row) else {
            tree.insert(row, index: &index)
            count &+= 1
            return nil
        }
        let old = leaf[slot]
        guard old != row else { return old }
        let bound = leaf.lowerBound(row)
        if bound > 0, bound < leaf.count {
            // It stays between rows of this leaf: neither the tree nor the index notices.
            leaf.replace(at: slot, with: row, lowerBound: bound)
        } else {
            tree.remove(old, index: &index)
            tree.insert(row, index: &index)
        }
        return old
    }

    /// Removes the row of an id. O(log n).
    /// - Returns: The row, which is gone; nil when there was none.
    @discardableResult
    package mutating func remove(_ row: Int64) -> RankedRow? {
        guard let old = find(row) else { return nil }
        tree.remove(old, index: &index)
        count &-= 1
        return old
    }

    /// The row of an id; nil when there is none. O(1) expected.
    package func find(_ row: Int64) -> RankedRow? {
        locate(row).map { $0.leaf[$0.slot] }
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
    /// How many rows stand before this place, whether or not the row is there: 0...count. O(log n).
    package func position(of row: RankedRow) -> Int {
        tree.spot(of: row)?.position ?? 0
    }

    /// How many rows have a strictly better order key, and how many have this one. O(log n).
    package func counts(ofOrderKey orderKey: Int64) -> (better: Int, equal: Int) {
        guard let spot = tree.spot(of: .first(ofOrderKey: orderKey)) else { return (0, 0) }
        return (spot.position, end(ofOrderKey: orderKey, leaf: spot.leaf, before: spot.before) - spot.position)
    }

    /// Where the row of an id stands; nil when there is none. O(log n): one descent, and up to three more where its
    /// points are shared beyond its leaf.
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
            row: row,
            position: position,
            better: better,
            equals: end(ofOrderKey: row.orderKey, leaf: leaf, before: before) - better,
            above: above,
            nextBetter: nextBetter
        )
    }

    /// Hands out rows by place, the best first. O(log n + limit).
    /// - Parameters:
    ///   - position: Of the first row; a negative one counts as 0, and there are no rows from `count` on.
    ///   - limit: How many rows at most; a negative one counts as 0.
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

    /// Rows by place, the best first. O(log n + limit).
    /// - Parameters: As of `forEach`.
    package func rows(from position: Int, limit: Int) -> [RankedRow] {
        var rows: [RankedRow] = []
        rows.reserveCapacity(max(0, min(limit, count)))
        forEach(from: position, limit: limit) { rows.append($0) }
        return rows
    }

    /// How many rows have a better order key than this one, which a row of the leaf has.
    private func better(thanOrderKey orderKey: Int64, leaf: TreeNode, before: Int) -> Int {
        let slot = leaf.better(thanOrderKey: orderKey)
        // Only at the edge of the leaf may rows of other leaves have this key too.
        return slot > 0 ? before + slot : position(of: .first(ofOrderKey: orderKey))
    }

    /// How many rows have this order key or a better one, of which the first is in the leaf or begins the next one.
    private func end(ofOrderKey orderKey: Int64, leaf: TreeNode, before: Int) -> Int {
        let slot = leaf.end(ofOrderKey: orderKey)
        if slot < leaf.count { return before + slot }
        guard let next = leaf.next, next.orderKeys[0] == orderKey else { return before + slot }
        return orderKey == .max ? count : position(of: .first(ofOrderKey: orderKey + 1))
    }
}

/// Puts a set together of rows that come one by one. While they come in order, the best first, that takes linear time
/// and next to no memory beside the set's own; from the first one on that does not, O(log n) each.
package struct RankedSetBuilder: ~Copyable {
    private var set: RankedSet
    /// All of the set's leaves, as long as there is nothing above them.
    private var leaves: [TreeNode] = []
    private var isInOrder = true

    package init() {
        self.init(tree: RowTree())
    }

    init(tree: consuming RowTree) {
        set = RankedSet(tree: tree)
    }

    /// Of several rows with the same id the last given counts.
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
