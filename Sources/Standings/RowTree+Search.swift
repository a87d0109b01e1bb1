extension RowTree {
    /// A place in a leaf, where a row is or would be inserted.
    struct Spot {
        let leaf: TreeNode
        /// 0...leaf.count
        let place: Int
        /// How many rows there are in the leaves before.
        let before: Int

        var position: Int { before &+ place }
    }

    /// Where a row is, or where it would be inserted; nil when there are no rows. O(log n).
    func spot(of row: RankedRow) -> Spot? {
        guard let (leaf, before) = leaf(for: row) else { return nil }
        return Spot(leaf: leaf, place: leaf.lowerBound(row), before: before)
    }

    /// The leaf where a row is or would be inserted, and how many rows there are in the leaves before. O(log n).
    func leaf(for row: RankedRow) -> (leaf: TreeNode, before: Int)? {
        guard var node = root else { return nil }
        var before = 0
        for _ in 0..<height {
            let index = node.childIndex(for: row)
            before &+= node.total(before: index)
            node = node.child(index)
        }
        return (node, before)
    }

    /// The spot at a position; nil when it is not in 0..<count. O(log n).
    func spot(at position: Int) -> Spot? {
        guard var node = root, position >= 0 else { return nil }
        var left = position
        for _ in 0..<height {
            let totals = node.totals
            var index = 0
            while index < node.count, left >= Int(totals[index]) {
                left &-= Int(totals[index])
                index &+= 1
            }
            guard index < node.count else { return nil }
            node = node.child(index)
        }
        return left < node.count ? Spot(leaf: node, place: left, before: position &- left) : nil
    }

    /// The row at a position; nil when it is not in 0..<count. O(log n).
    func row(at position: Int) -> RankedRow? {
        spot(at: position).map { $0.leaf[$0.place] }
    }
}
