/// The rows themselves, each in a slot that it keeps for as long as it is there.
struct RowSlab: ~Copyable {
    private var pool = BlockPool(blockBytes: MemoryLayout<RankedRow>.stride, chunkShift: 9)

    mutating func take(_ row: RankedRow) -> UInt32? {
        guard let slot = pool.take() else { return nil }
        self[slot] = row
        return slot
    }

    mutating func giveBack(_ slot: UInt32) {
        pool.giveBack(slot)
    }

    @inline(__always)
    subscript(_ slot: UInt32) -> RankedRow {
        get { pool[slot].load(as: RankedRow.self) }
        nonmutating set { pool[slot].storeBytes(of: newValue, as: RankedRow.self) }
    }

    var allocatedBytes: Int { pool.allocatedBytes }
}
