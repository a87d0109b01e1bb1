/// One hash table of `RowIndex`, with a few thousand entries at most: open addressing with linear probing.
///
/// An entry has a tag in the upper 32 bits and the number of a leaf, which is never 0, in the lower; an empty slot is
/// 0. Equal entries may occur more than once. The owner calls `free()` exactly once.
struct IndexShard {
    private static let capacityMin = 8

    private(set) var entries: UnsafeMutablePointer<UInt64>
    private(set) var capacity: Int
    private(set) var count = 0

    var allocatedBytes: Int { capacity * MemoryLayout<UInt64>.stride }

    /// - Parameter expected: The number of entries that fit without growing.
    init(expected: Int) {
        capacity = max(Self.capacityMin, expected + expected / 3 + 1)
        entries = .allocate(capacity: capacity)
        entries.initialize(repeating: 0, count: capacity)
    }

    func free() { entries.deallocate() }

    static func entry(_ tag: UInt32, _ leaf: UInt32) -> UInt64 { UInt64(tag) << 32 | UInt64(leaf) }
    static func tag(_ entry: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: entry >> 32) }
    static func leaf(_ entry: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: entry) }

    /// The slot at which the search for a tag begins. The upper bits decide it, because the lower bits have chosen the
    /// shard.
    func home(_ tag: UInt32) -> Int {
        Int(truncatingIfNeeded: (UInt64(tag) &* UInt64(truncatingIfNeeded: capacity)) >> 32)
    }

    func following(_ slot: Int) -> Int { slot &+ 1 == capacity ? 0 : slot &+ 1 }

    /// The slot of an entry; nil when there is none. O(1) expected.
    func slot(of entry: UInt64) -> Int? {
        var slot = home(Self.tag(entry))
        while entries[slot] != 0 {
            if entries[slot] == entry { return slot }
            slot = following(slot)
        }
        return nil
    }

    func replace(at slot: Int, with entry: UInt64) { entries[slot] = entry }

    /// Inserts an entry. O(1) expected; O(count) when the table grows by a quarter.
    mutating func insert(_ entry: UInt64) {
        // At most four fifths of the slots are used: a search for a missing entry then reads about 13 neighbouring
        // slots.
        if (count &+ 1) &* 5 > capacity &* 4 { resize(expected: count &+ count / 4 &+ 2) }
        slot(entry)
        count &+= 1
    }

    /// Removes the entry in a slot. O(1) expected; O(count) when the table shrinks.
    mutating func remove(at removed: Int) {
        var gap = removed
        var slot = following(gap)
        while entries[slot] != 0 {
            let wanted = home(Self.tag(entries[slot]))
            // The entry may fill the gap unless its home lies after the gap, in circular order.
            let isHomeAfterGap = gap <= slot ? gap < wanted && wanted <= slot : gap < wanted || wanted <= slot
            if !isHomeAfterGap {
                entries[gap] = entries[slot]
                gap = slot
            }
            slot = following(slot)
        }
        entries[gap] = 0
        count &-= 1
        if capacity > Self.capacityMin, count &* 5 < capacity &* 2 { resize(expected: count &+ 1) }
    }

    private func slot(_ entry: UInt64) {
        var slot = home(Self.tag(entry))
        while entries[slot] != 0 { slot = following(slot) }
        entries[slot] = entry
    }

    private mutating func resize(expected: Int) {
        let old = self
        self = IndexShard(expected: expected)
        for index in 0..<old.capacity where old.entries[index] != 0 { slot(old.entries[index]) }
        count = old.count
        old.free()
    }
}

/// Computes the tag by which the index knows a row's id: 32 bits, mixed with a secret of the process, so that nobody
/// can choose ids that collide.
///
/// The mixer is MurmurHash3's finaliser (Appleby 2011) after a multiplication by a secret odd number.
struct RowTag {
    private static let addend: UInt64 = .random(in: .min ... .max)
    private static let factor: UInt64 = .random(in: .min ... .max) | 1

    let addend = Self.addend
    let factor = Self.factor

    /// The tag of a row's id. Different ids may share one.
    func callAsFunction(_ row: Int64) -> UInt32 {
        var mixed = (UInt64(bitPattern: row) ^ addend) &* factor
        mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        mixed = (mixed ^ (mixed >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return UInt32(truncatingIfNeeded: mixed >> 32)
    }
}
