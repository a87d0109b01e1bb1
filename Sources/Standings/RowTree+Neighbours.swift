extension RowTree {
    /// Shares the entries of two neighbours evenly.
    /// - Parameters:
    ///   - place: The left one of the two.
    ///   - level: How many inner nodes there are from the parent down: 1 when the neighbours are leaves.
    func balance(_ place: Int, of parent: TreeNode, level: Int, index: inout RowIndex) {
        let (left, right) = (parent.child(place), parent.child(place + 1))
        let columns = level == 1 ? Self.leafColumns : Self.innerColumns
        let wanted = (left.count + right.count) / 2
        if left.count > wanted {
            let moved = left.count - wanted
            note(left, wanted..<left.count, moveTo: right, level: level, index: &index)
            left.moveTail(moved, to: right, columns: columns)
        } else {
            let moved = wanted - left.count
            note(right, 0..<moved, moveTo: left, level: level, index: &index)
            right.moveHead(moved, to: left, columns: columns)
        }
        parent[place + 1] = right[0]
        let total = parent.totals[place] &+ parent.totals[place + 1]
        let leftTotal = level == 1 ? left.count : left.totalOfChildren
        parent.totals[place] = Int64(leftTotal)
        parent.totals[place + 1] = total &- Int64(leftTotal)
    }

    /// Moves everything of the right one of two neighbours to the left one, and frees it.
    /// - Parameters:
    ///   - place: The left one of the two.
    ///   - level: As of `balance`.
    mutating func merge(_ place: Int, of parent: TreeNode, level: Int, index: inout RowIndex) {
        let (left, right) = (parent.child(place), parent.child(place + 1))
        note(right, 0..<right.count, moveTo: left, level: level, index: &index)
        right.moveHead(right.count, to: left, columns: level == 1 ? Self.leafColumns : Self.innerColumns)
        left.next = right.next
        parent.totals[place] &+= parent.totals[place + 1]
        parent.close(at: place + 1, columns: Self.innerColumns)
        free(right)
    }

    private func note(_ node: TreeNode, _ places: Range<Int>, moveTo other: TreeNode, level: Int, index: inout RowIndex) {
        guard level == 1 else { return }
        for place in places { index.move(index.tag(node.rows[place]), from: node.id, to: other.id) }
    }
}
