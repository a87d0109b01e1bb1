extension RowTree {
    /// Appends a row to leaves that have no inner nodes above them yet. Each leaf is filled to its ``TreeNode/ease``
    /// before the next begins.
    /// - Parameters:
    ///   - row: A row greater than every row before.
    ///   - leaves: All leaves, best rows first.
    mutating func append(_ row: RankedRow, to leaves: inout [TreeNode]) {
        let leaf: TreeNode
        if let last = leaves.last, last.count < last.ease {
            leaf = last
        } else {
            leaf = makeLeaf()
            leaves.last?.next = leaf
            leaves.append(leaf)
        }
        leaf[leaf.count] = row
        leaf.count += 1
    }

    /// Builds the inner nodes above the leaves, in linear time.
    /// - Parameters:
    ///   - leaves: The leaves as ``append(_:to:)`` has left them.
    ///   - index: The index, which has the rows of the leaves already.
    mutating func raise(over leaves: consuming [TreeNode], index: inout RowIndex) {
        var nodes = leaves.map { (node: $0, total: $0.count) }
        guard !nodes.isEmpty else { return }
        var separators = nodes.map { $0.node[0] }
        // No row is less, so the separator of the leftmost child never has to change.
        separators[0] = RankedRow(orderKey: .min, reachedAt: .min, row: .min)
        var aboveLast: TreeNode?
        while nodes.count > 1 {
            var above: [(node: TreeNode, total: Int)] = []
            var separatorsAbove: [RankedRow] = []
            for part in Self.parts(of: nodes.count, capacity: capacity) {
                let inner = makeInner()
                for (slot, child) in part.enumerated() {
                    inner[slot] = separators[child]
                    inner.setChild(slot, to: nodes[child].node, total: nodes[child].total)
                }
                inner.count = part.count
                above.append((inner, inner.totalOfChildren))
                separatorsAbove.append(separators[part.lowerBound])
            }
            if height == 0 { aboveLast = above.last?.node }
            height += 1
            nodes = above
            separators = separatorsAbove
        }
        root = nodes.first?.node
        // The last leaf got the remaining rows, which may be too few.
        if let aboveLast { balance(aboveLast.count - 2, of: aboveLast, level: 1, index: &index) }
    }

    /// Even parts of at most seven eighths of the capacity each; a single part when all fit into one node.
    private static func parts(of count: Int, capacity: Int) -> some Sequence<Range<Int>> {
        let most = capacity - capacity / 8
        let parts = count <= capacity ? 1 : (count - 1) / most + 1
        return (0..<parts).lazy.map { part in
            // The first parts take one more each, until the remainder of the division is used up.
            let (size, rest) = count.quotientAndRemainder(dividingBy: parts)
            let start = part * size + min(part, rest)
            return start..<(start + size + (part < rest ? 1 : 0))
        }
    }
}
