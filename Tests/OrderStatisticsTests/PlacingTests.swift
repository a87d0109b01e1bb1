import TestDice
import Testing

@testable import OrderStatistics

/// Where a row would stand that is not in the set.
@Suite struct PlacingTests {
    @Test(
        "a row is placed where it would be if it were set, in place of the one with its id",
        arguments: Dice.seeds(1...20)
    ) func placed(seed: UInt64) {
        var dice = Dice(seed: seed)
        func row(_ id: Int64) -> RankedRow {
            RankedRow(
                orderKey: Int64.random(in: 0...6, using: &dice),
                reachedAt: Int64.random(in: 0...3, using: &dice),
                row: id
            )
        }
        for _ in 0..<200 {
            let rows = (1...Int64.random(in: 1...12, using: &dice)).map { row($0) }
            // A new one, or another place of one that is there.
            let shown = row(Int64.random(in: 1...14, using: &dice))
            let set = RankedSet.of(rows)
            let placed = set.rankedPosition(placing: shown)
            let instead = RankedSet.of(rows.filter { $0.row != shown.row } + [shown])
            let expected = instead.rankedPosition(of: shown.row)
            #expect(placed == expected, "seed \(seed): \(shown) among \(rows)")
        }
    }
}
