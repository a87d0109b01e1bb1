import TestDice
import Testing

@testable import OrderStatistics

@Suite struct RandomOperationsTests {
    /// The ranges of a run's order keys, times and ids, and the shape of the tree's nodes.
    struct Mix: CustomTestStringConvertible {
        let name: String
        let orderKeys: ClosedRange<Int64>
        let reachedAts: ClosedRange<Int64>
        let rows: ClosedRange<Int64>
        var capacity = 8

        var testDescription: String { name }

        func row(_ dice: inout Dice) -> RankedRow {
            RankedRow(
                orderKey: .random(in: orderKeys, using: &dice), reachedAt: .random(in: reachedAts, using: &dice),
                row: .random(in: rows, using: &dice))
        }
    }

    static let mixes: [Mix] = [
        Mix(name: "few keys", orderKeys: -3...3, reachedAts: 0...5, rows: -150...150),
        Mix(name: "one key", orderKeys: 7...7, reachedAts: .min ... .max, rows: 0...300),
        Mix(name: "one key and one time", orderKeys: .max ... .max, reachedAts: .min ... .min, rows: -200...200),
        Mix(name: "every key", orderKeys: .min ... .max, reachedAts: .min ... .max, rows: 1...400),
        Mix(
            name: "the least keys", orderKeys: .min...(.min + 2), reachedAts: .min...(.min + 2),
            rows: .min...(.min + 250)),
        Mix(
            name: "the greatest keys", orderKeys: (.max - 2) ... .max, reachedAts: (.max - 2) ... .max,
            rows: (.max - 250) ... .max),
        Mix(name: "nodes as they are", orderKeys: 0...200, reachedAts: 0...9, rows: 1...600, capacity: 128),
    ]

    @Test("any sets and removals leave what a sorted array has", arguments: mixes, Dice.seeds(1)) func anything(
        _ mix: Mix, seed: UInt64
    ) {
        var dice = Dice(seed: seed)
        var set = RankedSet(tree: RowTree(capacity: mix.capacity))
        var model = ModelSet()
        // The set grows, keeps its size, shrinks to nothing, and grows again.
        for (phase, removals) in [20, 50, 95, 30].enumerated() {
            for step in 0..<700 {
                if Int.random(in: 0..<100, using: &dice) < removals,
                    let victim = model.sorted.randomElement(using: &dice)
                {
                    #expect(set.remove(victim.row) == model.remove(victim.row))
                } else if phase != 2 || step < 100 {
                    let row = mix.row(&dice)
                    #expect(set.set(row) == model.set(row))
                }
                if step % 100 == 0 { #expect(set.faults() == []) }
            }
            expectAlike(set, model)
        }
        for victim in model.sorted.shuffled(using: &dice) { #expect(set.remove(victim.row) == victim) }
        expectAlike(set, ModelSet())
    }

    @Test("small moves keep every row at its place", arguments: [8, 128], Dice.seeds(2)) func smallMoves(
        _ capacity: Int, seed: UInt64
    ) {
        var dice = Dice(seed: seed)
        var set = RankedSet(tree: RowTree(capacity: capacity))
        var model = ModelSet()
        for id in 0..<500 as Range<Int64> {
            let row = RankedRow(orderKey: id * 10, reachedAt: 0, row: id)
            #expect(set.set(row) == model.set(row))
        }
        for _ in 0..<2_000 {
            let old = model.sorted[Int.random(in: 0..<500, using: &dice)]
            let row = RankedRow(
                orderKey: old.orderKey + .random(in: -40...40, using: &dice), reachedAt: 1, row: old.row)
            #expect(set.set(row) == model.set(row))
        }
        expectAlike(set, model)
    }
}

/// Where a row would stand that is not in the set.
@Suite struct PlacingTests {
    @Test(
        "a row is placed where it would be if it were set, in place of the one with its id",
        arguments: Dice.seeds(1...20)) func placed(seed: UInt64)
    {
        var dice = Dice(seed: seed)
        func row(_ id: Int64) -> RankedRow {
            RankedRow(
                orderKey: Int64.random(in: 0...6, using: &dice), reachedAt: Int64.random(in: 0...3, using: &dice),
                row: id)
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
