extension SlotTree {
    /// The right half of a node that was split.
    private struct Split {
        let block: UInt32
        /// The least row below it.
        let key: RankedRow
        let slots: Int
    }

    /// - Parameter row: The slot's; it is not in the tree yet.
    /// - Returns: False, and nothing has changed, when there is no memory left to number.
    mutating func insert(_ slot: UInt32, _ row: RankedRow, in rows: borrowing RowSlab) -> Bool {
        if root == BlockPool.none {
            guard let block = leaves.take() else { return false }
            let leaf = leaf(block)
            (leaf.count, leaf.next) = (0, BlockPool.none)
            root = block
        }
        guard height < Self.heightMax else { return false }
        let split = insert(slot, row, into: root, height: height, rows)
        count += 1
        guard let split else { return true }
        guard let block = inners.take() else { return false }
        let node = inner(block)
        node.count = 2
        node.set(child: root, key: split.key, slots: count - split.slots, at: 0)
        node.set(child: split.block, key: split.key, slots: split.slots, at: 1)
        root = block
        height += 1
        return true
    }

    private mutating func insert(_ slot: UInt32, _ row: RankedRow, into block: UInt32, height: Int, _ rows: borrowing RowSlab) -> Split? {
        if height == 0 { return insert(slot, row, intoLeaf: block, rows) }
        let node = inner(block)
        let index = node.index(of: row)
        let split = insert(slot, row, into: node.children[index], height: height - 1, rows)
        node.counts[index] += 1
        guard let split else { return nil }
        node.counts[index] -= UInt32(truncatingIfNeeded: split.slots)
        node.insert(child: split.block, key: split.key, slots: split.slots, at: index + 1)
        guard node.count == Self.innerMax, let rightBlock = inners.take() else { return nil }
        // Full nodes are split at once, so that there is always room for one more child.
        let right = inner(rightBlock)
        let middle = node.count / 2
        right.count = 0
        right.append(node, from: middle)
        node.count = middle
        return Split(block: rightBlock, key: right.keys[0], slots: right.slotsCount)
    }

    private mutating func insert(_ slot: UInt32, _ row: RankedRow, intoLeaf block: UInt32, _ rows: borrowing RowSlab) -> Split? {
        let leaf = leaf(block)
        let index = Self.lowerBound(leaf, row, rows)
        (leaf.slots + index + 1).update(from: leaf.slots + index, count: leaf.count - index)
        leaf.slots[index] = slot
        leaf.count += 1
        guard leaf.count == Self.leafMax, let rightBlock = leaves.take() else { return nil }
        let right = self.leaf(rightBlock)
        // Rows that come in order, as sums and latest posts may, leave full leaves behind.
        let middle = leaf.next == BlockPool.none && index == leaf.count - 1 ? leaf.count - 1 : leaf.count / 2
        right.count = leaf.count - middle
        right.slots.update(from: leaf.slots + middle, count: right.count)
        leaf.count = middle
        right.next = leaf.next
        leaf.next = rightBlock
        return Split(block: rightBlock, key: rows[right.slots[0]], slots: right.count)
    }
}
