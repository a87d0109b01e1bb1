/// The rows of one board in one window by place: exact order statistics in memory.
///
/// Finding a row by its id takes constant time on average; everything else about a row takes O(log n). It takes about 40 bytes a row. No
/// operation makes everything grow at once: see `RowIndex`. It has one owner, who guards it, for instance by a `Mutex`. Any 64-bit values
/// are taken; memory is the only limit of how many rows there are.
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
                for place in 0..<leaf.count { again.set(leaf[place]) }
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
        guard let (leaf, place) = locate(row.row) else {
            tree.insert(row, index: &index)
            count &+= 1
            return nil
        }
        let old = leaf[place]
        guard old != row else { return old }
        let bound = leaf.lowerBound(row)
        if bound > 0, bound < leaf.count {
            // It stays between rows of this leaf: neither the tree nor the index notices.
            leaf.replace(at: place, with: row, lowerBound: bound)
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
        locate(row).map { $0.leaf[$0.place] }
    }

    func locate(_ row: Int64) -> (leaf: TreeNode, place: Int)? {
        var found: (leaf: TreeNode, place: Int)?
        _ = index.contains(index.tag(row)) { number in
            guard let leaf = tree.leaf(number), let place = leaf.index(ofRow: row) else { return false }
            found = (leaf, place)
            return true
        }
        return found
    }
}
