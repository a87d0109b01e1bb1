import OrderStatistics
import TestDice

extension Dice {
    /// A number in 0..<limit, uniform enough for a benchmark.
    mutating func below(_ limit: Int) -> Int64 {
        Int64(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(limit)).high)
    }

    /// A row with this id, one of `keys` order keys and a random instant.
    mutating func row(_ id: Int, keys: Int) -> RankedRow {
        RankedRow(orderKey: -below(keys), reachedAt: below(1 << 50), row: Int64(id))
    }
}
