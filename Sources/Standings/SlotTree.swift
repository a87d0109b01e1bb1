/// Slots in the order of their rows: a B+ tree whose inner nodes know how many slots lie below each child.
///
/// Separators are rows by value, so a way down reads few lines of memory; only in the leaf are rows looked up.
struct SlotTree: ~Copyable {
    static let leafMax = 124
    static let innerMax = 60
    /// The tree cannot grow higher: 60 and 124 to these powers are more than 32 bits count.
    static let heightMax = 8

    /// Slots in order.
    struct Leaf {
        let base: UnsafeMutableRawPointer

        @inline(__always) var count: Int {
            get { Int(base.load(as: UInt32.self)) }
            nonmutating set { base.storeBytes(of: UInt32(truncatingIfNeeded: newValue), as: UInt32.self) }
        }
        /// The leaf that follows.
        @inline(__always) var next: UInt32 {
            get { base.load(fromByteOffset: 4, as: UInt32.self) }
            nonmutating set { base.storeBytes(of: newValue, toByteOffset: 4, as: UInt32.self) }
        }
        @inline(__always) var slots: UnsafeMutablePointer<UInt32> { (base + 8).assumingMemoryBound(to: UInt32.self) }
        static let bytes = 8 + SlotTree.leafMax * 4
    }

    /// Children in order, the number of slots below each, and the least row that may lie below each but the first.
    struct Inner {
        let base: UnsafeMutableRawPointer

        @inline(__always) var count: Int {
            get { Int(base.load(as: UInt32.self)) }
            nonmutating set { base.storeBytes(of: UInt32(truncatingIfNeeded: newValue), as: UInt32.self) }
        }
        @inline(__always) var keys: UnsafeMutablePointer<RankedRow> { (base + 8).assumingMemoryBound(to: RankedRow.self) }
        @inline(__always) var children: UnsafeMutablePointer<UInt32> {
            (base + 8 + SlotTree.innerMax * 24).assumingMemoryBound(to: UInt32.self)
        }
        @inline(__always) var counts: UnsafeMutablePointer<UInt32> {
            (base + 8 + SlotTree.innerMax * 28).assumingMemoryBound(to: UInt32.self)
        }
        static let bytes = 8 + SlotTree.innerMax * 32

        /// Below which child a row belongs.
        @inline(__always)
        func index(of row: RankedRow) -> Int {
            var (low, high) = (1, count)
            while low < high {
                let middle = (low + high) / 2
                if keys[middle] <= row { low = middle + 1 } else { high = middle }
            }
            return low - 1
        }

        /// Slots below the children before one.
        @inline(__always)
        func slotsCount(before index: Int) -> Int {
            var sum: UInt64 = 0
            for child in 0..<index { sum &+= UInt64(counts[child]) }
            return Int(truncatingIfNeeded: sum)
        }

        var slotsCount: Int { slotsCount(before: count) }

        func insert(child: UInt32, key: RankedRow, slots: Int, at index: Int) {
            let tail = count - index
            (keys + index + 1).update(from: keys + index, count: tail)
            (children + index + 1).update(from: children + index, count: tail)
            (counts + index + 1).update(from: counts + index, count: tail)
            set(child: child, key: key, slots: slots, at: index)
            count += 1
        }

        func remove(at index: Int) {
            let tail = count - index - 1
            (keys + index).update(from: keys + index + 1, count: tail)
            (children + index).update(from: children + index + 1, count: tail)
            (counts + index).update(from: counts + index + 1, count: tail)
            count -= 1
        }

        func set(child: UInt32, key: RankedRow, slots: Int, at index: Int) {
            (keys + index).initialize(to: key)
            (children + index).initialize(to: child)
            (counts + index).initialize(to: UInt32(truncatingIfNeeded: slots))
        }

        /// Takes the children of another node from an index on, behind its own.
        func append(_ other: Inner, from start: Int) {
            let added = other.count - start
            (keys + count).update(from: other.keys + start, count: added)
            (children + count).update(from: other.children + start, count: added)
            (counts + count).update(from: other.counts + start, count: added)
            count += added
        }
    }

    var leaves = BlockPool(blockBytes: Leaf.bytes, chunkShift: 3)
    var inners = BlockPool(blockBytes: Inner.bytes, chunkShift: 1)
    var root = BlockPool.none
    /// Inner nodes above a leaf.
    var height = 0
    var count = 0

    var allocatedBytes: Int { leaves.allocatedBytes + inners.allocatedBytes }

    @inline(__always) func leaf(_ block: UInt32) -> Leaf { Leaf(base: leaves[block]) }
    @inline(__always) func inner(_ block: UInt32) -> Inner { Inner(base: inners[block]) }
}

// MARK: - Reading

extension SlotTree {
    /// How many rows stand before a place.
    func position(of row: RankedRow, in rows: borrowing RowSlab) -> Int {
        guard root != BlockPool.none else { return 0 }
        let (block, before) = leafAndPosition(of: row)
        return before + Self.lowerBound(leaf(block), row, rows)
    }

    /// How many rows stand before one that is in the tree: its slot is found without a look at other rows.
    func position(of row: RankedRow, slot: UInt32) -> Int {
        guard root != BlockPool.none else { return 0 }
        let (block, before) = leafAndPosition(of: row)
        let leaf = leaf(block)
        return before + (UnsafeBufferPointer(start: leaf.slots, count: leaf.count).firstIndex(of: slot) ?? 0)
    }

    private func leafAndPosition(of row: RankedRow) -> (UInt32, before: Int) {
        var (block, before) = (root, 0)
        for _ in 0..<height {
            let node = inner(block)
            let index = node.index(of: row)
            before &+= node.slotsCount(before: index)
            block = node.children[index]
        }
        return (block, before)
    }

    /// Hands out slots in order.
    /// - Parameter position: From 0, within the tree.
    func forEach(from position: Int, limit: Int, _ body: (UInt32) -> Void) {
        guard position >= 0, position < count, limit > 0 else { return }
        var (block, skipped) = (root, position)
        for _ in 0..<height {
            let node = inner(block)
            var index = 0
            while index + 1 < node.count, skipped >= Int(node.counts[index]) {
                skipped -= Int(node.counts[index])
                index += 1
            }
            block = node.children[index]
        }
        var left = limit
        while block != BlockPool.none {
            let leaf = leaf(block)
            var index = skipped
            while index < leaf.count {
                body(leaf.slots[index])
                left -= 1
                if left == 0 { return }
                index += 1
            }
            skipped = 0
            block = leaf.next
        }
    }

    /// The first index of a leaf whose row does not stand before `row`.
    static func lowerBound(_ leaf: Leaf, _ row: RankedRow, _ rows: borrowing RowSlab) -> Int {
        var (low, high) = (0, leaf.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[leaf.slots[middle]] < row { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
