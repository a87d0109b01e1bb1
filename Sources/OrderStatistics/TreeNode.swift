/// A node of `RowTree`: a view of memory that the tree owns.
///
/// The memory is a header of three words (`count`, `id`, `next`), then columns of `capacity` words each, so that a
/// search reads one column and a scan reads consecutive words. A leaf has three columns, which hold its rows. An inner
/// node has five: three for the separators, one for the children, and one for the number of rows below each child. The
/// separator of a child is at most its first row and greater than every row of the child before; along the left edge of
/// the tree, the first separator is the least possible row.
struct TreeNode {
    private static let headerWords = 3

    let words: UnsafeMutablePointer<Int64>
    /// Maximum number of rows or children, the same in every node of a tree. It is not part of the node's memory,
    /// because finding a column would then have to wait for reading it.
    let capacity: Int

    /// Number of rows of a leaf or of children of an inner node: 0...capacity.
    var count: Int {
        get { Int(words[0]) }
        nonmutating set { words[0] = Int64(newValue) }
    }

    /// The number by which the index knows a leaf: 1 or more. An inner node has 0.
    var id: UInt32 { UInt32(truncatingIfNeeded: words[1]) }

    /// The leaf with the following rows; nil for the last leaf.
    var next: TreeNode? {
        get { node(words[2]) }
        nonmutating set { words[2] = newValue.map(\.bits) ?? 0 }
    }

    /// The number of entries up to which nodes are filled, merged or given a share: an eighth stays free, at least two
    /// entries, so that the node is not full again at once.
    var ease: Int { capacity &- max(2, capacity / 8) }

    var orderKeys: UnsafeMutablePointer<Int64> { column(0) }
    var reachedAts: UnsafeMutablePointer<Int64> { column(1) }
    var rows: UnsafeMutablePointer<Int64> { column(2) }
    /// Number of rows below each child of an inner node.
    var totals: UnsafeMutablePointer<Int64> { column(4) }

    init(words: UnsafeMutablePointer<Int64>, capacity: Int) {
        self.words = words
        self.capacity = capacity
    }

    /// Allocates an empty node, which the caller frees.
    init(capacity: Int, columns: Int, id: UInt32) {
        self.init(words: .allocate(capacity: Self.words(capacity: capacity, columns: columns)), capacity: capacity)
        words[0] = 0
        words[1] = Int64(id)
        words[2] = 0
    }

    static func words(capacity: Int, columns: Int) -> Int { headerWords + capacity * columns }

    func column(_ index: Int) -> UnsafeMutablePointer<Int64> { words + (Self.headerWords &+ capacity &* index) }

    /// The row in a slot of a leaf, or the separator of a child.
    subscript(index: Int) -> RankedRow {
        get { RankedRow(orderKey: orderKeys[index], reachedAt: reachedAts[index], row: rows[index]) }
        nonmutating set {
            orderKeys[index] = newValue.orderKey
            reachedAts[index] = newValue.reachedAt
            rows[index] = newValue.row
        }
    }

    func child(_ index: Int) -> TreeNode {
        // The word of a child is never zero, because it was written from a pointer.
        node(column(3)[index]).unsafelyUnwrapped
    }

    func setChild(_ index: Int, to child: TreeNode, total: Int) {
        column(3)[index] = child.bits
        totals[index] = Int64(total)
    }

    private var bits: Int64 { Int64(Int(bitPattern: words)) }

    private func node(_ bits: Int64) -> TreeNode? {
        UnsafeMutablePointer(bitPattern: Int(bits)).map { TreeNode(words: $0, capacity: capacity) }
    }
}

extension TreeNode {
    /// Number of the node's rows or separators that are less than a row. O(capacity).
    func lowerBound(_ row: RankedRow) -> Int {
        let first = Self.lowerBound(of: row.orderKey, in: orderKeys, 0, count)
        guard first < count, orderKeys[first] == row.orderKey else { return first }
        let last = Self.upperBound(of: row.orderKey, in: orderKeys, first, count)
        let second = Self.lowerBound(of: row.reachedAt, in: reachedAts, first, last)
        guard second < last, reachedAts[second] == row.reachedAt else { return second }
        let third = Self.upperBound(of: row.reachedAt, in: reachedAts, second, last)
        return Self.lowerBound(of: row.row, in: rows, second, third)
    }

    /// The index of the child below which a row is or would be inserted. O(capacity).
    func childIndex(for row: RankedRow) -> Int {
        let index = lowerBound(row)
        // The row may be the separator itself, which belongs to the child on its right.
        if index < count, self[index] == row { return index }
        return max(0, index &- 1)
    }

    /// The slot of the row with this id in a leaf; nil when it has none. O(capacity).
    func index(ofRow row: Int64) -> Int? {
        let rows = rows
        let count = count
        var index = 0
        while index < count {
            if rows[index] == row { return index }
            index &+= 1
        }
        return nil
    }

    /// Number of rows below the children before this one. O(capacity).
    func total(before child: Int) -> Int {
        let totals = totals
        var sum: Int64 = 0
        for index in 0..<child { sum &+= totals[index] }
        return Int(sum)
    }

    /// Number of rows below all children of an inner node. O(capacity).
    var totalOfChildren: Int { total(before: count) }

    /// Number of a leaf's rows with a strictly better order key. O(capacity).
    func better(thanOrderKey orderKey: Int64) -> Int { Self.lowerBound(of: orderKey, in: orderKeys, 0, count) }

    /// Number of a leaf's rows with this order key or a better one. O(capacity).
    func end(ofOrderKey orderKey: Int64) -> Int { Self.upperBound(of: orderKey, in: orderKeys, 0, count) }

    /// The index of the first value that is not less, in a sorted part of a column.
    ///
    /// It reads every eighth value and then up to eight neighbours. A binary search would read fewer values, but each
    /// read would wait for the one before; these reads overlap.
    private static func lowerBound(of value: Int64, in column: UnsafeMutablePointer<Int64>, _ start: Int, _ end: Int)
        -> Int
    {
        var sample = start &+ 7
        var block = start
        while sample < end {
            block &+= column[sample] < value ? 8 : 0
            sample &+= 8
        }
        var bound = block
        var slot = block
        let last = min(block &+ 8, end)
        while slot < last {
            bound &+= column[slot] < value ? 1 : 0
            slot &+= 1
        }
        return bound
    }

    private static func upperBound(of value: Int64, in column: UnsafeMutablePointer<Int64>, _ start: Int, _ end: Int)
        -> Int
    { value == .max ? end : lowerBound(of: value &+ 1, in: column, start, end) }
}

extension TreeNode {
    /// Opens a gap in every column. O(capacity).
    func open(at index: Int, columns: Int) {
        for column in 0..<columns {
            let slot = self.column(column) + index
            (slot + 1).update(from: slot, count: count &- index)
        }
        count &+= 1
    }

    /// Closes the gap that a removed row or child leaves in every column. O(capacity).
    func close(at index: Int, columns: Int) {
        count &-= 1
        for column in 0..<columns {
            let slot = self.column(column) + index
            slot.update(from: slot + 1, count: count &- index)
        }
    }

    /// Replaces a row of this leaf by another one and keeps the order. O(capacity).
    /// - Parameters:
    ///   - old: The slot of the row to be replaced.
    ///   - new: Number of the leaf's rows, including the replaced one, that are less than the new row.
    func replace(at old: Int, with row: RankedRow, lowerBound new: Int) {
        let target = new > old ? new &- 1 : new
        for column in 0..<3 {
            let base = self.column(column)
            if target > old {
                (base + old).update(from: base + old + 1, count: target &- old)
            } else {
                (base + target + 1).update(from: base + target, count: old &- target)
            }
        }
        self[target] = row
    }

    /// Moves the last entries of this node to the front of its right neighbour, which has room for them.
    func moveTail(_ moved: Int, to right: TreeNode, columns: Int) {
        for column in 0..<columns {
            let base = right.column(column)
            (base + moved).update(from: base, count: right.count)
            base.update(from: self.column(column) + (count &- moved), count: moved)
        }
        count &-= moved
        right.count &+= moved
    }

    /// Moves the first entries of this node to the end of its left neighbour, which has room for them.
    func moveHead(_ moved: Int, to left: TreeNode, columns: Int) {
        for column in 0..<columns {
            let base = self.column(column)
            (left.column(column) + left.count).update(from: base, count: moved)
            base.update(from: base + moved, count: count &- moved)
        }
        left.count &+= moved
        count &-= moved
    }
}
