extension RowTree {
    /// Inserts a row that is not there. O(log n).
    ///
    /// Full nodes on the way down are relieved before they are entered, so that nothing has to be mended on the way up.
    /// - Parameter index: Learns where the row is, and where others have gone.
    mutating func insert(_ row: RankedRow, index: inout RowIndex) {
        var node = rootWithRoom()
        for level in stride(from: height, to: 0, by: -1) {
            var place = node.childIndex(for: row)
            if node.child(place).count == node.child(place).capacity {
                relieve(place, of: node, level: level, index: &index)
                place = node.childIndex(for: row)
            }
            node.totals[place] &+= 1
            node = node.child(place)
        }
        let place = node.lowerBound(row)
        node.open(at: place, columns: Self.leafColumns)
        node[place] = row
        index.insert(index.tag(row.row), leaf: node.id)
    }

    private mutating func rootWithRoom() -> TreeNode {
        guard let root else {
            let leaf = makeLeaf()
            self.root = leaf
            return leaf
        }
        guard root.count == root.capacity else { return root }
        let above = makeInner()
        above.count = 1
        // Nothing is less: the separator of the tree's first child stays right whatever comes.
        above[0] = RankedRow(orderKey: .min, reachedAt: .min, row: .min)
        above.setChild(0, to: root, total: count)
        self.root = above
        height += 1
        return above
    }

    /// Makes room in a full child: by sharing with a neighbour that has an eighth free, or else by splitting it.
    private mutating func relieve(_ place: Int, of parent: TreeNode, level: Int, index: inout RowIndex) {
        let child = parent.child(place)
        if place > 0, parent.child(place - 1).count <= child.ease {
            balance(place - 1, of: parent, level: level, index: &index)
        } else if place + 1 < parent.count, parent.child(place + 1).count <= child.ease {
            balance(place, of: parent, level: level, index: &index)
        } else {
            split(place, of: parent, level: level, index: &index)
        }
    }

    private mutating func split(_ place: Int, of parent: TreeNode, level: Int, index: inout RowIndex) {
        let left = parent.child(place)
        let right = level == 1 ? makeLeaf() : makeInner()
        right.next = left.next
        left.next = right
        parent.open(at: place + 1, columns: Self.innerColumns)
        parent.setChild(place + 1, to: right, total: 0)
        balance(place, of: parent, level: level, index: &index)
    }
}
