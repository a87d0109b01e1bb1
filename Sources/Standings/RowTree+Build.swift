extension RowTree {
    /// Fills an empty tree with rows in linear time; its nodes become seven eighths full.
    /// - Parameters:
    ///   - rows: In ascending order.
    ///   - index: Is empty; learns where the rows are.
    /// - Returns: False when two rows have the same id, which leaves the tree and the index without meaning.
    mutating func build(_ rows: borrowing [RankedRow], index: inout RowIndex) -> Bool {
        guard rows.count > 0 else { return true }
        index.reserve(rows.count)
        var nodes: [(node: TreeNode, total: Int)] = []
        var last: TreeNode?
        for part in Self.parts(of: rows.count, capacity: capacity) {
            let leaf = makeLeaf()
            last?.next = leaf
            last = leaf
            nodes.append((leaf, part.count))
            for place in part {
                let row = rows[place]
                let tag = index.tag(row.row)
                guard !index.contains(tag, where: { self.leaf($0)?.index(ofRow: row.row) != nil }) else {
                    for node in nodes { free(node.node) }
                    return false
                }
                leaf[leaf.count] = row
                leaf.count += 1
                index.insert(tag, leaf: leaf.id)
            }
        }
        var separators = nodes.map { $0.node[0] }
        separators[0] = RankedRow(orderKey: .min, reachedAt: .min, row: .min)
        while nodes.count > 1 {
            var above: [(node: TreeNode, total: Int)] = []
            var separatorsAbove: [RankedRow] = []
            for part in Self.parts(of: nodes.count, capacity: capacity) {
                let inner = makeInner()
                for (place, child) in part.enumerated() {
                    inner[place] = separators[child]
                    inner.setChild(place, to: nodes[child].node, total: nodes[child].total)
                }
                inner.count = part.count
                above.append((inner, inner.totalOfChildren))
                separatorsAbove.append(separators[part.lowerBound])
            }
            height += 1
            nodes = above
            separators = separatorsAbove
        }
        root = nodes.first?.node
        return true
    }

    /// Even parts, each at most seven eighths of a capacity; or one part that is full.
    private static func parts(of count: Int, capacity: Int) -> some Sequence<Range<Int>> {
        let most = capacity - capacity / 8
        let parts = count <= capacity ? 1 : (count - 1) / most + 1
        return (0..<parts).lazy.map { part in
            // The first parts take one more each until what does not divide is gone.
            let (size, rest) = count.quotientAndRemainder(dividingBy: parts)
            let start = part * size + min(part, rest)
            return start..<(start + size + (part < rest ? 1 : 0))
        }
    }
}
