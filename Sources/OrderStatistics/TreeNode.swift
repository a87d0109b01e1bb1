/// A node of `RowTree`: a view of memory that the tree owns.
///
/// The memory is a header of three words and then columns of `capacity` words each, so that a search reads one column
/// and a scan reads consecutive words. A leaf has three columns, which are its rows. An inner node has five: the
/// separators, the children and the number of rows below each child. The separator of a child is at most its first row
/// and greater than every row of the child before it; the first separator of the nodes along the tree's left edge is
/// the least row there can be.
struct TreeNode {
    private static let headerWords = 3

    let words: UnsafeMutablePointer<Int64>
    /// Rows or children at most, the same in every node of a tree. It is not in the node's memory: then where a column
    /// begins would have to wait for it.
    let capacity: Int

    /// How many rows a leaf has, or how many children an inner node has: 0...capacity.
    var count: Int {
        get { Int(words[0]) }
        nonmutating set { words[0] = Int64(newValue) }
    }

    /// By which number the index knows a leaf: 1 or more. Zero for an inner node.
    var id: UInt32 { UInt32(truncatingIfNeeded: words[1]) }

    /// The leaf with the rows that follow; nil for the last leaf.
    var next: TreeNode? {
        get { node(words[2]) }
        nonmutating set { words[2] = newValue.map(\.bits) ?? 0 }
    }

    /// Up to how many a node is let join or share: an eighth stays free, two places at least, so that it is not full
    /// again at once.
    var ease: Int { capacity &- max(2, capacity / 8) }

    var orderKeys: UnsafeMutablePointer<Int64> { column(0) }
    var reachedAts: UnsafeMutablePointer<Int64> { column(1) }
    var rows: UnsafeMutablePointer<Int64> { column(2) }
    /// How many rows there are below each child of an inner node.
    var totals: UnsafeMutablePointer<Int64> { column(4) }

    init(words: UnsafeMutablePointer<Int64>, capacity: Int) {
        self.words = words
        self.capacity = capacity
    }

    /// Takes memory for an empty node, which whoever asks frees.
    init(capacity: Int, columns: Int, id: UInt32) {
        self.init(words: .allocate(capacity: Self.words(capacity: capacity, columns: columns)), capacity: capacity)
        words[0] = 0
        words[1] = Int64(id)
        words[2] = 0
    }

    static func words(capacity: Int, columns: Int) -> Int { headerWords + capacity * columns }

    func column(_ index: Int) -> UnsafeMutablePointer<Int64> { words + (Self.headerWords &+ capacity &* index) }

    /// The row of a leaf, or the separator of a child.
    subscript(index: Int) -> RankedRow {
        get { RankedRow(orderKey: orderKeys[index], reachedAt: reachedAts[index], row: rows[index]) }
        nonmutating set {
            orderKeys[index] = newValue.orderKey
            reachedAts[index] = newValue.reachedAt
            rows[index] = newValue.row
        }
    }

    func child(_ index: Int) -> TreeNode {
        // A child's word is never zero: it was written from a pointer.
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
    /// How many of the node's first `count` rows or separators are less than a row. O(capacity).
    func lowerBound(_ row: RankedRow) -> Int {
        let first = Self.lowerBound(of: row.orderKey, in: orderKeys, 0, count)
        guard first < count, orderKeys[first] == row.orderKey else { return first }
        let last = Self.upperBound(of: row.orderKey, in: orderKeys, first, count)
        let second = Self.lowerBound(of: row.reachedAt, in: reachedAts, first, last)
        guard second < last, reachedAts[second] == row.reachedAt else { return second }
        let third = Self.upperBound(of: row.reachedAt, in: reachedAts, second, last)
        return Self.lowerBound(of: row.row, in: rows, second, third)
    }

    /// The child of an inner node below which a row is or would be. O(capacity).
    func childIndex(for row: RankedRow) -> Int {
        let index = lowerBound(row)
        // The row may be the separator itself, which belongs to the child on its right.
        if index < count, self[index] == row { return index }
        return max(0, index &- 1)
    }

    /// Where a leaf has the row of this id; nil when it has none. O(capacity).
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

    /// How many rows there are below the children before this one. O(capacity).
    func total(before child: Int) -> Int {
        let totals = totals
        var sum: Int64 = 0
        for index in 0..<child { sum &+= totals[index] }
        return Int(sum)
    }

    /// How many rows there are below all of a node's children.
    var totalOfChildren: Int { total(before: count) }

    /// How many of a leaf's rows have a strictly better order key. O(capacity).
    func better(thanOrderKey orderKey: Int64) -> Int {
        Self.lowerBound(of: orderKey, in: orderKeys, 0, count)
    }

    /// How many of a leaf's rows have this order key or a better one. O(capacity).
    func end(ofOrderKey orderKey: Int64) -> Int {
        Self.upperBound(of: orderKey, in: orderKeys, 0, count)
    }

    /// Where in a part of a column, which is in order, the first value is that is not less.
    ///
    /// It looks at every eighth value and then at eight. Halving would read less, but wait for memory at each step;
    /// these reads wait together.
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
    {
        value == .max ? end : lowerBound(of: value &+ 1, in: column, start, end)
    }
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

    /// Closes the gap that a row or a child leaves in every column. O(capacity).
    func close(at index: Int, columns: Int) {
        count &-= 1
        for column in 0..<columns {
            let slot = self.column(column) + index
            slot.update(from: slot + 1, count: count &- index)
        }
    }

    /// Puts a row in the place of another of the same leaf and keeps the order. O(capacity).
    /// - Parameters:
    ///   - old: Where the row is that goes.
    ///   - new: How many of the leaf's rows, with the one that goes, are less than the row that comes.
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
