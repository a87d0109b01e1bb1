extension SlotTree {
    /// - Parameter row: The slot's, with which it was inserted.
    mutating func remove(_ slot: UInt32, _ row: RankedRow) {
        guard root != BlockPool.none, remove(slot, row, from: root, height: height) else { return }
        count -= 1
        while height > 0, inner(root).count == 1 {
            let child = inner(root).children[0]
            inners.giveBack(root)
            root = child
            height -= 1
        }
        if count == 0 {
            giveBack(root, height: height)
            (root, height) = (BlockPool.none, 0)
        }
    }

    private mutating func remove(_ slot: UInt32, _ row: RankedRow, from block: UInt32, height: Int) -> Bool {
        if height == 0 {
            let leaf = leaf(block)
            guard let index = UnsafeBufferPointer(start: leaf.slots, count: leaf.count).firstIndex(of: slot) else { return false }
            (leaf.slots + index).update(from: leaf.slots + index + 1, count: leaf.count - index - 1)
            leaf.count -= 1
            return true
        }
        let node = inner(block)
        let index = node.index(of: row)
        guard remove(slot, row, from: node.children[index], height: height - 1) else { return false }
        node.counts[index] -= 1
        let isPoor =
            height == 1 ? leaf(node.children[index]).count < Self.leafMax / 4 : inner(node.children[index]).count < Self.innerMax / 4
        if isPoor, node.count > 1 {
            let left = max(index - 1, 0)
            if height == 1 { mergeLeaves(node, left) } else { mergeInners(node, left) }
        }
        return true
    }

    /// Frees what is left below a node.
    private mutating func giveBack(_ block: UInt32, height: Int) {
        guard height > 0 else { return leaves.giveBack(block) }
        let node = inner(block)
        for index in 0..<node.count { giveBack(node.children[index], height: height - 1) }
        inners.giveBack(block)
    }

    /// Makes one leaf of two neighbours if there is room to spare. So a leaf and its neighbour are never both nearly empty, and none is empty for long.
    private mutating func mergeLeaves(_ node: Inner, _ index: Int) {
        let (left, right) = (leaf(node.children[index]), leaf(node.children[index + 1]))
        let total = left.count + right.count
        guard total <= Self.leafMax * 7 / 8 || left.count == 0 || right.count == 0 else { return }
        (left.slots + left.count).update(from: right.slots, count: right.count)
        left.count = total
        left.next = right.next
        drop(node, index + 1, slots: total) { tree, block in tree.leaves.giveBack(block) }
    }

    private mutating func mergeInners(_ node: Inner, _ index: Int) {
        let (left, right) = (inner(node.children[index]), inner(node.children[index + 1]))
        guard left.count + right.count <= Self.innerMax * 7 / 8 else { return }
        // The first key of a node is nobody's; as a later one it is what separates the two.
        right.keys[0] = node.keys[index + 1]
        left.append(right, from: 0)
        let slots = Int(node.counts[index]) + Int(node.counts[index + 1])
        drop(node, index + 1, slots: slots) { tree, block in tree.inners.giveBack(block) }
    }

    /// Takes a child away whose slots its left neighbour has now.
    private mutating func drop(_ node: Inner, _ index: Int, slots: Int, _ giveBack: (inout SlotTree, UInt32) -> Void) {
        giveBack(&self, node.children[index])
        node.counts[index - 1] = UInt32(truncatingIfNeeded: slots)
        node.remove(at: index)
    }
}
