import TestDice
import Testing

@testable import OrderStatistics

@Suite struct BuildTests {
    static let sizes = [0, 1, 2, 6, 7, 8, 9, 63, 64, 65, 112, 113, 127, 128, 129, 224, 225, 500]

    static func rows(_ count: Int, seed: UInt64) -> [RankedRow] {
        var dice = Dice(seed: seed)
        return (0..<Int64(count)).map { id in
            RankedRow(
                orderKey: .random(in: -9...9, using: &dice), reachedAt: .random(in: 0...99, using: &dice), row: id - 40)
        }
    }

    @Test("a set made of rows is the set that they would make one by one", arguments: sizes, [8, 128]) func oneByOne(
        _ count: Int, capacity: Int
    ) {
        let rows = Self.rows(count, seed: 4)
        var model = ModelSet()
        for row in rows { _ = model.set(row) }
        expectAlike(RankedSet.of(rows, tree: RowTree(capacity: capacity)), model)
        expectAlike(RankedSet.of(rows.sorted(), tree: RowTree(capacity: capacity)), model)
    }

    @Test(
        "ten thousand rows stand where sorting puts them, and a set made of them takes any change",
        arguments: [false, true]) func tenThousand(isSorted: Bool)
    {
        let rows = Self.rows(10_000, seed: 5)
        let sorted = rows.sorted()
        var set = RankedSet.of(isSorted ? sorted : rows)
        #expect(set.faults() == [] && set.rows(from: 0, limit: .max) == sorted)
        for (position, row) in sorted.enumerated() where set.rankedPosition(of: row.row)?.position != position {
            Issue.record("\(row) is not at \(position)")
        }
        for row in rows.prefix(9_000) { set.remove(row.row) }
        #expect(set.faults() == [] && set.rows(from: 0, limit: .max) == rows.dropFirst(9_000).sorted())
        for row in rows { set.set(row) }
        #expect(set.faults() == [] && set.rows(from: 0, limit: .max) == sorted)
    }

    @Test("of rows with one id the last given counts, in order or not", arguments: [false, true], Dice.seeds(6))
    func duplicates(isSorted: Bool, seed: UInt64) {
        var dice = Dice(seed: seed)
        for count in [2, 10, 130, 800] {
            var rows = (0..<count).map { _ in
                RankedRow(
                    orderKey: .random(in: -50...50, using: &dice), reachedAt: .random(in: 0...1, using: &dice),
                    row: .random(in: 1...Int64(count) / 2, using: &dice))
            }
            if isSorted { rows.sort() }
            var model = ModelSet()
            for row in rows { _ = model.set(row) }
            expectAlike(RankedSet.of(rows), model)
        }
    }

    @Test(
        "rows in order, then one out of order or of an id that has a row, and others after it", arguments: [8, 128],
        [100, 1_000, 1_003]) func firstStray(capacity: Int, count: Int)
    {
        let sorted = Self.rows(count, seed: 9).sorted()
        let next = RankedRow(orderKey: 10, reachedAt: 0, row: Int64(count))
        let early = RankedRow(orderKey: -5, reachedAt: 50, row: Int64(count) + 1)
        let again = RankedRow(orderKey: 11, reachedAt: 0, row: sorted[count / 2].row)
        for strays in [[early, next], [again, next], [next, again, early], [again, early, sorted[0]]] {
            var model = ModelSet()
            for row in sorted + strays { _ = model.set(row) }
            expectAlike(RankedSet.of(sorted + strays, tree: RowTree(capacity: capacity)), model)
        }
    }

    @Test("a thousand rows of one player are one row") func oneID() {
        let rows = (0..<1_000 as Range<Int64>).map { RankedRow(orderKey: $0, reachedAt: 0, row: 1) }
        let set = RankedSet.of(rows)
        #expect(set.rows(from: 0, limit: 5) == [rows[999]] && set.faults() == [])
        let reversed = RankedSet.of(rows.reversed())
        #expect(reversed.rows(from: 0, limit: 5) == [rows[0]] && reversed.faults() == [])
    }
}
