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

    /// Makes a set of rows in any order: in linear time when they are sorted already, which is found out.
    /// - Parameter rows: Of several with the same id the last given counts.
    package init(sorting rows: consuming [RankedRow]) {
        self.init(sorting: rows, tree: RowTree())
    }

    init(sorting rows: consuming [RankedRow], tree: consuming RowTree) {
        self.tree = tree
        if !Self.isSorted(rows) {
            // Before sorting: afterwards nobody knows which was given last.
            Self.keepLastOfEach(&rows)
            rows.sort()
        }
        if !self.tree.build(rows, index: &index) {
            Self.keepLastOfEach(&rows)
            index = RowIndex()
            _ = self.tree.build(rows, index: &index)
        }
        count = rows.count
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

    private static func isSorted(_ rows: borrowing [RankedRow]) -> Bool {
        var place = 1
        while place < rows.count {
            if rows[place] < rows[place - 1] { return false }
            place += 1
        }
        return true
    }

    /// Drops rows whose id comes again later; what stays keeps its order. O(n) expected.
    private static func keepLastOfEach(_ rows: inout [RankedRow]) {
        var index = RowIndex()
        index.reserve(rows.count)
        // What stays is put together at the end; the index knows it by its distance from there, which is 1 or more, and less than 2^32
        // unless the rows take 96 GiB.
        let end = rows.count
        var start = end
        for place in rows.indices.reversed() {
            let row = rows[place]
            let tag = index.tag(row.row)
            if index.contains(tag, where: { rows[end - Int($0)].row == row.row }) { continue }
            start -= 1
            rows[start] = row
            index.insert(tag, leaf: UInt32(truncatingIfNeeded: end - start))
        }
        rows.removeFirst(start)
    }
}
