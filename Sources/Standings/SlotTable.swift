/// Which slot holds whose row: linear hashing (W. Litwin, 1980), which grows by one bucket at a time, so that no insertion ever moves everything.
///
/// A bucket is a cache line: 12 slots, a byte of each one's hash, so that few rows are looked at in vain, and the number of a bucket for those that do
/// not fit.
struct SlotTable: ~Copyable {
    private static let slotsMax = 12
    /// More in a bucket on average make the next one split.
    private static let loadMax = 8

    private struct Bucket {
        let base: UnsafeMutableRawPointer

        @inline(__always) var slots: UnsafeMutablePointer<UInt32> { base.assumingMemoryBound(to: UInt32.self) }
        @inline(__always) var tags: UnsafeMutablePointer<UInt8> { (base + 48).assumingMemoryBound(to: UInt8.self) }
        @inline(__always) var overflow: UInt32 {
            get { base.load(fromByteOffset: 60, as: UInt32.self) }
            nonmutating set { base.storeBytes(of: newValue, toByteOffset: 60, as: UInt32.self) }
        }

        func clear() {
            for index in 0..<SlotTable.slotsMax { slots[index] = BlockPool.none }
            overflow = BlockPool.none
        }
    }

    private var buckets = BlockPool(blockBytes: 64, chunkShift: 6)
    private var overflows = BlockPool(blockBytes: 64, chunkShift: 4)
    /// Buckets below `split` have been split in this round, in which `1 << level` become twice as many.
    private var level: UInt32 = 0
    private var split: UInt32 = 0
    private var bucketsCount: UInt32 = 0
    private(set) var count = 0
    private let seed: UInt64

    /// - Parameter seed: Nobody may know it who chooses ids.
    init(seed: UInt64) {
        self.seed = seed
    }

    var allocatedBytes: Int { buckets.allocatedBytes + overflows.allocatedBytes }

    @inline(__always)
    func find(_ id: Int64, in rows: borrowing RowSlab) -> UInt32? {
        guard bucketsCount > 0 else { return nil }
        let hash = hash(id)
        let tag = Self.tag(hash)
        var bucket = Bucket(base: buckets[index(hash)])
        while true {
            for place in 0..<Self.slotsMax where bucket.tags[place] == tag && bucket.slots[place] != BlockPool.none {
                let slot = bucket.slots[place]
                if rows[slot].row == id { return slot }
            }
            guard bucket.overflow != BlockPool.none else { return nil }
            bucket = Bucket(base: overflows[bucket.overflow])
        }
    }

    /// - Parameter id: Is not in the table yet.
    /// - Returns: False when there is no room for it.
    mutating func insert(_ id: Int64, slot: UInt32, in rows: borrowing RowSlab) -> Bool {
        if count >= Int(bucketsCount) * Self.loadMax { grow(rows) }
        guard put(slot, hash(id)) else { return false }
        count += 1
        return true
    }

    mutating func remove(_ id: Int64, slot: UInt32) {
        guard bucketsCount > 0 else { return }
        var bucket = Bucket(base: buckets[index(hash(id))])
        while true {
            for place in 0..<Self.slotsMax where bucket.slots[place] == slot {
                bucket.slots[place] = BlockPool.none
                count -= 1
                return
            }
            guard bucket.overflow != BlockPool.none else { return }
            bucket = Bucket(base: overflows[bucket.overflow])
        }
    }

    private mutating func put(_ slot: UInt32, _ hash: UInt64) -> Bool {
        guard bucketsCount > 0 else { return false }
        var bucket = Bucket(base: buckets[index(hash)])
        while true {
            for place in 0..<Self.slotsMax where bucket.slots[place] == BlockPool.none {
                bucket.slots[place] = slot
                bucket.tags[place] = Self.tag(hash)
                return true
            }
            if bucket.overflow == BlockPool.none {
                guard let more = overflows.take() else { return false }
                Bucket(base: overflows[more]).clear()
                bucket.overflow = more
            }
            bucket = Bucket(base: overflows[bucket.overflow])
        }
    }

    /// Adds a bucket and shares with it what the one has whose turn it is.
    private mutating func grow(_ rows: borrowing RowSlab) {
        guard let added = buckets.take() else { return }
        Bucket(base: buckets[added]).clear()
        bucketsCount += 1
        guard bucketsCount > 1 else { return }
        let source = split
        split += 1
        if split == 1 << level {
            level += 1
            split = 0
        }
        var bucket = Bucket(base: buckets[source])
        var overflow = bucket.overflow
        bucket.overflow = BlockPool.none
        share(bucket, rows)
        while overflow != BlockPool.none {
            bucket = Bucket(base: overflows[overflow])
            let next = bucket.overflow
            share(bucket, rows)
            overflows.giveBack(overflow)
            overflow = next
        }
    }

    /// Puts the slots of a bucket where they belong now.
    private mutating func share(_ bucket: Bucket, _ rows: borrowing RowSlab) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.slotsMax) { moved in
            _ = moved.initialize(from: UnsafeBufferPointer(start: bucket.slots, count: Self.slotsMax))
            for place in 0..<Self.slotsMax { bucket.slots[place] = BlockPool.none }
            // What came out of the two buckets fits into them, and into the overflows that are given back.
            for slot in moved where slot != BlockPool.none { _ = put(slot, hash(rows[slot].row)) }
        }
    }

    /// Gives an empty table the buckets that so many rows will need.
    mutating func reserve(_ rowsCount: Int) {
        guard bucketsCount == 0 else { return }
        for _ in 0..<max(1, rowsCount / Self.loadMax) {
            guard let bucket = buckets.take() else { break }
            Bucket(base: buckets[bucket]).clear()
            bucketsCount += 1
        }
        level = 31 - UInt32(bucketsCount.leadingZeroBitCount)
        split = bucketsCount - (1 << level)
    }

    @inline(__always)
    private func index(_ hash: UInt64) -> UInt32 {
        let low = UInt32(truncatingIfNeeded: hash)
        let index = low & ((1 << level) - 1)
        return index < split ? low & ((1 << (level + 1)) - 1) : index
    }

    @inline(__always)
    private static func tag(_ hash: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: hash >> 56) }

    /// The finaliser of MurmurHash3 (A. Appleby): every bit of the id moves every bit of the hash.
    @inline(__always)
    private func hash(_ id: Int64) -> UInt64 {
        var hash = UInt64(bitPattern: id) ^ seed
        hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return hash ^ (hash >> 33)
    }
}
