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
    /// It looks at every eighth value and then at eight. Halving would read less, but wait for memory at each step; these reads wait
    /// together.
    private static func lowerBound(of value: Int64, in column: UnsafeMutablePointer<Int64>, _ start: Int, _ end: Int) -> Int {
        var sample = start &+ 7
        var block = start
        while sample < end {
            block &+= column[sample] < value ? 8 : 0
            sample &+= 8
        }
        var bound = block
        var place = block
        let last = min(block &+ 8, end)
        while place < last {
            bound &+= column[place] < value ? 1 : 0
            place &+= 1
        }
        return bound
    }

    private static func upperBound(of value: Int64, in column: UnsafeMutablePointer<Int64>, _ start: Int, _ end: Int) -> Int {
        value == .max ? end : lowerBound(of: value &+ 1, in: column, start, end)
    }
}
