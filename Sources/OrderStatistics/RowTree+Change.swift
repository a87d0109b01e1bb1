extension RowTree {
    /// Inserts a row that is not in the tree. O(log n).
    ///
    /// Full nodes on the way down are relieved before they are entered, so nothing has to be repaired on the way up.
    /// - Parameter index: Updated with the leaf of the row, and of rows that move.
    mutating func insert(_ row: RankedRow, index: inout RowIndex) {
        var node = rootWithRoom()
        for level in stride(from: height, to: 0, by: -1) {
            var slot = node.childIndex(for: row)
            if node.child(slot).count == node.child(slot).capacity {
                relieve(slot, of: node, level: level, index: &index)
                slot = node.childIndex(for: row)
            }
            node.totals[slot] &+= 1
            node = node.child(slot)
        }
        let slot = node.lowerBound(row)
        node.open(at: slot, columns: Self.leafColumns)
        node[slot] = row
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
        // No row is less, so the separator of the leftmost child never has to change.
        above[0] = RankedRow(orderKey: .min, reachedAt: .min, row: .min)
        above.setChild(0, to: root, total: count)
        self.root = above
        height += 1
        return above
    }

    /// Makes room in a full child: it shares with a neighbour that has an eighth free, or else splits.
    private mutating func relieve(_ slot: Int, of parent: TreeNode, level: Int, index: inout RowIndex) {
        let child = parent.child(slot)
        if slot > 0, parent.child(slot - 1).count <= child.ease {
            balance(slot - 1, of: parent, level: level, index: &index)
        } else if slot + 1 < parent.count, parent.child(slot + 1).count <= child.ease {
            balance(slot, of: parent, level: level, index: &index)
        } else {
            split(slot, of: parent, level: level, index: &index)
        }
    }

    private mutating func split(_ slot: Int, of parent: TreeNode, level: Int, index: inout RowIndex) {
        let left = parent.child(slot)
        let right = level == 1 ? makeLeaf() : makeInner()
        right.next = left.next
        left.next = right
        parent.open(at: slot + 1, columns: Self.innerColumns)
        parent.setChild(slot + 1, to: right, total: 0)
        balance(slot, of: parent, level: level, index: &index)
    }
}

extension RowTree {
    /// Removes a row that is in the tree. O(log n).
    ///
    /// Underfull nodes on the way down are filled before they are entered, so nothing has to be repaired on the way up.
    /// - Parameter index: Loses the row, and is updated with the leaves of rows that move.
    mutating func remove(_ row: RankedRow, index: inout RowIndex) {
        guard var node = root else { return }
        for level in stride(from: height, to: 0, by: -1) {
            var slot = node.childIndex(for: row)
            if replenish(slot, of: node, level: level, index: &index) { slot = node.childIndex(for: row) }
            let child = node.child(slot)
            node.totals[slot] &-= 1
            if node.count == 1 {
                // Only the root can be left with a single child.
                root = child
                height -= 1
                free(node)
            }
            node = child
        }
        let slot = node.lowerBound(row)
        guard slot < node.count, node[slot] == row else {
            assertionFailure("The tree lacks a row that the index has.")
            return
        }
        index.remove(index.tag(row.row), leaf: node.id)
        node.close(at: slot, columns: Self.leafColumns)
        if height == 0, node.count == 0 {
            root = nil
            free(node)
        }
    }

    /// Makes sure that a child stays at least a quarter full when it loses an entry.
    /// - Returns: Whether entries moved between children.
    private mutating func replenish(_ slot: Int, of parent: TreeNode, level: Int, index: inout RowIndex) -> Bool {
        let child = parent.child(slot)
        guard child.count <= child.capacity / 2 else { return false }
        if slot > 0, parent.child(slot - 1).count + child.count <= child.ease {
            merge(slot - 1, of: parent, level: level, index: &index)
        } else if slot + 1 < parent.count, parent.child(slot + 1).count + child.count <= child.ease {
            merge(slot, of: parent, level: level, index: &index)
        } else if child.count <= child.capacity / 4 {
            balance(max(0, slot - 1), of: parent, level: level, index: &index)
        } else {
            return false
        }
        return true
    }
}
