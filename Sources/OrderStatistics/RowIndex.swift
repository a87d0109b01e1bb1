/// Maps the tag of a row's id to the leaf of the tree that holds the row: a bag of pairs of a tag and a leaf's number.
///
/// It is a linear hash table (Litwin 1980) whose buckets are small hash tables themselves. It grows and shrinks by one
/// bucket at a time, so a single operation at worst rebuilds about `shardCountMax` entries, which takes tens of
/// microseconds. Only the list of buckets doubles; it takes 24 bytes for a thousand rows.
struct RowIndex: ~Copyable {
    /// Average number of entries a bucket above which the index adds a bucket.
    static let shardCountMax = 1_024
    /// Number of buckets that are filled together; they take about 350 kB.
    private static let partShards = 32

    private(set) var shards: [IndexShard] = []
    private(set) var count = 0
    /// One less than the smallest power of two that is at least the number of buckets.
    private var mask: UInt32 = 0

    let tag = RowTag()

    var allocatedBytes: Int {
        shards.reduce(shards.capacity * MemoryLayout<IndexShard>.stride) { $0 + $1.allocatedBytes }
    }

    deinit { for shard in shards { shard.free() } }

    /// Whether one of the leaves that may hold the row of a tag fits. O(1) expected.
    /// - Parameter fits: Called with the number of every leaf that has a row of this tag, until it returns true.
    @inline(__always) func contains(_ tag: UInt32, where fits: (UInt32) -> Bool) -> Bool {
        guard count > 0 else { return false }
        let shard = shards[number(of: tag)]
        var slot = shard.home(tag)
        while shard.entries[slot] != 0 {
            let entry = shard.entries[slot]
            if IndexShard.tag(entry) == tag, fits(IndexShard.leaf(entry)) { return true }
            slot = shard.following(slot)
        }
        return false
    }

    mutating func insert(_ tag: UInt32, leaf: UInt32) {
        if count >= shards.count &* Self.shardCountMax { split() }
        shards[number(of: tag)].insert(IndexShard.entry(tag, leaf))
        count &+= 1
    }

    mutating func remove(_ tag: UInt32, leaf: UInt32) {
        let shard = number(of: tag)
        guard count > 0, let slot = shards[shard].slot(of: IndexShard.entry(tag, leaf)) else {
            assertionFailure("The index does not know a row that the tree has.")
            return
        }
        shards[shard].remove(at: slot)
        count &-= 1
        // Joining begins at half the number that causes a split, so that the index does not split and join in turns.
        if shards.count > 1, count < (shards.count &- 1) &* Self.shardCountMax / 2 { join() }
    }

    /// Records that a row has moved to another leaf.
    mutating func move(_ tag: UInt32, from old: UInt32, to new: UInt32) {
        let shard = number(of: tag)
        guard count > 0, let slot = shards[shard].slot(of: IndexShard.entry(tag, old)) else {
            assertionFailure("The index does not know a row that the tree has.")
            return
        }
        shards[shard].replace(at: slot, with: IndexShard.entry(tag, new))
    }

    /// Fills the empty index with the rows of a new tree's leaves, which are numbered in their order. O(n), and faster
    /// than inserting rows in their order: entries for neighbouring buckets are first brought together, so that each
    /// bucket is filled while it is in the processor's cache. Meanwhile that takes 8 bytes a row more.
    /// - Returns: False when two rows have the same id; then the index must be discarded.
    mutating func fill(_ leaves: [TreeNode], count: Int) -> Bool {
        guard count > 0, let first = leaves.first?.id else { return true }
        reserve(count)
        // For each part: where its entries begin, and while they are written, where the next one goes.
        var bounds = [Int](repeating: 0, count: (shards.count - 1) / Self.partShards + 2)
        for leaf in leaves { for slot in 0..<leaf.count { bounds[part(of: tag(leaf.rows[slot])) + 1] &+= 1 } }
        for part in 1..<bounds.count { bounds[part] &+= bounds[part - 1] }
        let entries = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
        defer { entries.deallocate() }
        for leaf in leaves {
            for slot in 0..<leaf.count {
                let tag = tag(leaf.rows[slot])
                let part = part(of: tag)
                entries[bounds[part]] = IndexShard.entry(tag, leaf.id)
                bounds[part] &+= 1
            }
        }
        for slot in 0..<count {
            let (tag, number) = (IndexShard.tag(entries[slot]), IndexShard.leaf(entries[slot]))
            let isThere = contains(tag) { other in
                let ids = [number, other].map { leaves[Int($0 - first)] }.map { leaf in
                    (0..<leaf.count).map { leaf.rows[$0] }.filter { self.tag($0) == tag }
                }
                return number == other ? Set(ids[0]).count < ids[0].count : !Set(ids[0]).isDisjoint(with: ids[1])
            }
            if isThere { return false }
            insert(tag, leaf: number)
        }
        return true
    }

    /// Makes room for this many entries in an empty index.
    private mutating func reserve(_ expected: Int) {
        let shardCount = (expected - 1) / Self.shardCountMax + 1
        mask = UInt32(truncatingIfNeeded: (1 << (Int.bitWidth - (shardCount - 1).leadingZeroBitCount)) - 1)
        let split = shardCount - (Int(mask) + 1) / 2
        let expectedOfSplit = expected / (Int(mask) + 1)
        shards = (0..<shardCount).map { index in
            let isSplit = index < split || index > Int(mask) / 2
            let mean = isSplit ? expectedOfSplit : expectedOfSplit * 2
            // The hash gives some buckets a few entries more than the mean, but rarely so many that they have to grow.
            return IndexShard(expected: mean + mean / 32)
        }
    }

    private func part(of tag: UInt32) -> Int { number(of: tag) / Self.partShards }

    private func number(of tag: UInt32) -> Int {
        let number = Int(tag & mask)
        return number < shards.count ? number : number & Int(mask >> 1)
    }

    private mutating func split() {
        guard !shards.isEmpty else {
            shards.append(IndexShard(expected: 0))
            return
        }
        if shards.count > Int(mask) { mask = mask << 1 | 1 }
        let low = shards.count & Int(mask >> 1)
        let old = shards[low]
        shards[low] = IndexShard(expected: old.count / 2)
        shards.append(IndexShard(expected: old.count / 2))
        spread(old)
    }

    private mutating func join() {
        let old = shards.removeLast()
        if shards.count <= (Int(mask) + 1) / 2 { mask >>= 1 }
        spread(old)
    }

    private mutating func spread(_ old: IndexShard) {
        for slot in 0..<old.capacity where old.entries[slot] != 0 {
            let entry = old.entries[slot]
            shards[number(of: IndexShard.tag(entry))].insert(entry)
        }
        old.free()
    }
}

// SAFETY: it owns the memory of its buckets and cannot be copied.
extension RowIndex: @unchecked Sendable {}
