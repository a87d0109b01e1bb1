import OrderStatistics
import TestDice

extension Dice {
    /// 0..<limit, as even as a benchmark needs it.
    mutating func below(_ limit: Int) -> Int64 {
        Int64(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(limit)).high)
    }

    /// A row of this id, with one of so many order keys and any time.
    mutating func row(_ id: Int, keys: Int) -> RankedRow {
        RankedRow(orderKey: -below(keys), reachedAt: below(1 << 50), row: Int64(id))
    }
}
