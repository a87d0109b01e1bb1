import OrderStatistics

/// SplitMix64 (Steele, Lea and Flood 2014): the same numbers on every run.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64 = 1

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// 0..<limit, as even as a benchmark needs it.
    mutating func below(_ limit: Int) -> Int64 {
        Int64(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(limit)).high)
    }

    /// A row of this id, with one of so many order keys and any time.
    mutating func row(_ id: Int, keys: Int) -> RankedRow {
        RankedRow(orderKey: -below(keys), reachedAt: below(1 << 50), row: Int64(id))
    }
}
