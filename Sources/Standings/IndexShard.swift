/// One hash table of `RowIndex`, a few thousand entries at most: open addressing with linear probing.
///
/// An entry is a tag in the upper 32 bits and the number of a leaf, which is never 0, in the lower; an empty place is 0. Entries may repeat.
/// Its owner calls `free()` once.
struct IndexShard {
    private static let capacityMin = 8

    private(set) var entries: UnsafeMutablePointer<UInt64>
    private(set) var capacity: Int
    private(set) var count = 0

    var allocatedBytes: Int { capacity * MemoryLayout<UInt64>.stride }

    /// - Parameter expected: For how many entries there is to be room.
    init(expected: Int) {
        capacity = max(Self.capacityMin, expected + expected / 3 + 1)
        entries = .allocate(capacity: capacity)
        entries.initialize(repeating: 0, count: capacity)
    }

    func free() { entries.deallocate() }

    static func entry(_ tag: UInt32, _ leaf: UInt32) -> UInt64 { UInt64(tag) << 32 | UInt64(leaf) }
    static func tag(_ entry: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: entry >> 32) }
    static func leaf(_ entry: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: entry) }

    /// Where the search for a tag begins. The upper bits decide it, as the lower ones have chosen the shard.
    func home(_ tag: UInt32) -> Int { Int(truncatingIfNeeded: (UInt64(tag) &* UInt64(truncatingIfNeeded: capacity)) >> 32) }

    func following(_ place: Int) -> Int { place &+ 1 == capacity ? 0 : place &+ 1 }

    /// Where an entry is; nil when there is none. O(1) expected.
    func place(of entry: UInt64) -> Int? {
        var place = home(Self.tag(entry))
        while entries[place] != 0 {
            if entries[place] == entry { return place }
            place = following(place)
        }
        return nil
    }

    func replace(at place: Int, with entry: UInt64) { entries[place] = entry }

    /// O(1) expected, and now and then O(count), when it grows by a quarter.
    mutating func insert(_ entry: UInt64) {
        // Four fifths full at most: then a search for what is not there reads about 13 neighbouring places.
        if (count &+ 1) &* 5 > capacity &* 4 { resize(expected: count &+ count / 4 &+ 2) }
        place(entry)
        count &+= 1
    }

    /// O(1) expected, and now and then O(count), when it shrinks.
    mutating func remove(at removed: Int) {
        var gap = removed
        var place = following(gap)
        while entries[place] != 0 {
            let wanted = home(Self.tag(entries[place]))
            // The entry may fill the gap unless its home lies after the gap, in the circle's order.
            let isHomeAfterGap = gap <= place ? gap < wanted && wanted <= place : gap < wanted || wanted <= place
            if !isHomeAfterGap {
                entries[gap] = entries[place]
                gap = place
            }
            place = following(place)
        }
        entries[gap] = 0
        count &-= 1
        if capacity > Self.capacityMin, count &* 5 < capacity &* 2 { resize(expected: count &+ 1) }
    }

    private func place(_ entry: UInt64) {
        var place = home(Self.tag(entry))
        while entries[place] != 0 { place = following(place) }
        entries[place] = entry
    }

    private mutating func resize(expected: Int) {
        let old = self
        self = IndexShard(expected: expected)
        for index in 0..<old.capacity where old.entries[index] != 0 { place(old.entries[index]) }
        count = old.count
        old.free()
    }
}
