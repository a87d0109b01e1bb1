extension RowTree {
    /// Removes a row that is there. O(log n).
    ///
    /// Nodes on the way down that run low are filled before they are entered, so that nothing has to be mended on the way up.
    /// - Parameter index: Forgets the row, and learns where others have gone.
    mutating func remove(_ row: RankedRow, index: inout RowIndex) {
        guard var node = root else { return }
        for level in stride(from: height, to: 0, by: -1) {
            var place = node.childIndex(for: row)
            if replenish(place, of: node, level: level, index: &index) { place = node.childIndex(for: row) }
            let child = node.child(place)
            node.totals[place] &-= 1
            if node.count == 1 {
                // Only the root comes to have a single child.
                root = child
                height -= 1
                free(node)
            }
            node = child
        }
        let place = node.lowerBound(row)
        guard place < node.count, node[place] == row else {
            assertionFailure("The tree lacks a row that the index has.")
            return
        }
        index.remove(index.tag(row.row), leaf: node.id)
        node.close(at: place, columns: Self.leafColumns)
        if height == 0, node.count == 0 {
            root = nil
            free(node)
        }
    }

    /// Sees to it that a child stays at least a quarter full when it loses an entry.
    /// - Returns: Whether entries moved between children.
    private mutating func replenish(_ place: Int, of parent: TreeNode, level: Int, index: inout RowIndex) -> Bool {
        let child = parent.child(place)
        guard child.count <= child.capacity / 2 else { return false }
        if place > 0, parent.child(place - 1).count + child.count <= child.ease {
            merge(place - 1, of: parent, level: level, index: &index)
        } else if place + 1 < parent.count, parent.child(place + 1).count + child.count <= child.ease {
            merge(place, of: parent, level: level, index: &index)
        } else if child.count <= child.capacity / 4 {
            balance(max(0, place - 1), of: parent, level: level, index: &index)
        } else {
            return false
        }
        return true
    }
}
