/// In which leaf of the tree each row is, by the tag of its id: a bag of pairs of a tag and a leaf's number.
///
/// It is a linear hash table (Litwin 1980) whose buckets are small tables of their own. It grows and shrinks one bucket at a time, so that
/// the longest that one operation takes is the rebuilding of about `shardCountMax` entries, tens of microseconds. Beside it only the list of
/// buckets doubles, 16 bytes for a thousand rows.
struct RowIndex: ~Copyable {
    /// Entries a bucket on average, above which there is one bucket more.
    static let shardCountMax = 1_024

    private(set) var shards: [IndexShard] = []
    private(set) var count = 0
    /// One less than the power of two that is at least the number of buckets.
    private var mask: UInt32 = 0

    let tag = RowTag()

    var allocatedBytes: Int {
        shards.reduce(shards.capacity * MemoryLayout<IndexShard>.stride) { $0 + $1.allocatedBytes }
    }

    deinit {
        for shard in shards { shard.free() }
    }

    /// Whether a leaf fits, of those that may have a tag's row. O(1) expected.
    /// - Parameter fits: Is asked about every leaf that has a row of this tag, until one fits.
    @inline(__always)
    func contains(_ tag: UInt32, where fits: (UInt32) -> Bool) -> Bool {
        guard count > 0 else { return false }
        let shard = shards[number(of: tag)]
        var place = shard.home(tag)
        while shard.entries[place] != 0 {
            let entry = shard.entries[place]
            if IndexShard.tag(entry) == tag, fits(IndexShard.leaf(entry)) { return true }
            place = shard.following(place)
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
        guard count > 0, let place = shards[shard].place(of: IndexShard.entry(tag, leaf)) else {
            assertionFailure("The index does not know a row that the tree has.")
            return
        }
        shards[shard].remove(at: place)
        count &-= 1
        // Half as many as would make a bucket more: nothing splits and joins in turns.
        if shards.count > 1, count < (shards.count &- 1) &* Self.shardCountMax / 2 { join() }
    }

    /// Notes that a row has moved to another leaf.
    mutating func move(_ tag: UInt32, from old: UInt32, to new: UInt32) {
        let shard = number(of: tag)
        guard count > 0, let place = shards[shard].place(of: IndexShard.entry(tag, old)) else {
            assertionFailure("The index does not know a row that the tree has.")
            return
        }
        shards[shard].replace(at: place, with: IndexShard.entry(tag, new))
    }

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
        for place in 0..<old.capacity where old.entries[place] != 0 {
            let entry = old.entries[place]
            shards[number(of: IndexShard.tag(entry))].insert(entry)
        }
        old.free()
    }
}

// SAFETY: its buckets' memory is its own, and it cannot be copied.
extension RowIndex: @unchecked Sendable {}
