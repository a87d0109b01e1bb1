extension TreeNode {
    /// Opens a gap in every column. O(capacity).
    func open(at index: Int, columns: Int) {
        for column in 0..<columns {
            let place = self.column(column) + index
            (place + 1).update(from: place, count: count &- index)
        }
        count &+= 1
    }

    /// Closes the gap that a row or a child leaves in every column. O(capacity).
    func close(at index: Int, columns: Int) {
        count &-= 1
        for column in 0..<columns {
            let place = self.column(column) + index
            place.update(from: place + 1, count: count &- index)
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
