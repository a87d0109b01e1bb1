extension SlotTree {
    /// Slots of a leaf and children of an inner node after a build: some room, so that the first rows to come split nothing.
    private static let leafFill = leafMax * 7 / 8
    private static let innerFill = innerMax * 7 / 8

    /// Fills an empty tree in linear time.
    /// - Parameter slots: In the order of their rows.
    mutating func build(_ slots: [UInt32], in rows: borrowing RowSlab) {
        guard root == BlockPool.none, !slots.isEmpty else { return }
        var nodes = buildLeaves(slots, rows)
        while nodes.count > 1 {
            nodes = buildInners(nodes)
            height += 1
        }
        root = nodes[0].block
        count = slots.count
    }

    private mutating func buildLeaves(_ slots: [UInt32], _ rows: borrowing RowSlab) -> [(block: UInt32, key: RankedRow, slots: Int)] {
        var nodes: [(block: UInt32, key: RankedRow, slots: Int)] = []
        for span in Self.spans(slots.count, fill: Self.leafFill) {
            guard let block = leaves.take() else { break }
            let leaf = leaf(block)
            slots.withUnsafeBufferPointer { all in
                leaf.slots.update(from: UnsafeBufferPointer(rebasing: all[span]).baseAddress.unsafelyUnwrapped, count: span.count)
            }
            (leaf.count, leaf.next) = (span.count, BlockPool.none)
            if let last = nodes.last { self.leaf(last.block).next = block }
            nodes.append((block, rows[slots[span.lowerBound]], span.count))
        }
        return nodes
    }

    private mutating func buildInners(_ below: [(block: UInt32, key: RankedRow, slots: Int)]) -> [(
        block: UInt32, key: RankedRow, slots: Int
    )] {
        var nodes: [(block: UInt32, key: RankedRow, slots: Int)] = []
        for span in Self.spans(below.count, fill: Self.innerFill) {
            guard let block = inners.take() else { break }
            let node = inner(block)
            node.count = span.count
            for (index, child) in below[span].enumerated() { node.set(child: child.block, key: child.key, slots: child.slots, at: index) }
            nodes.append((block, below[span.lowerBound].key, node.slotsCount))
        }
        return nodes
    }

    /// Parts of nearly equal length, none longer than `fill`.
    private static func spans(_ count: Int, fill: Int) -> [Range<Int>] {
        let parts = (count + fill - 1) / fill
        return (0..<parts).map { part in count * part / parts..<count * (part + 1) / parts }
    }
}
