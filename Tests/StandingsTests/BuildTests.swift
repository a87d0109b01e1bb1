import TestDice
import Testing

@testable import Standings

@Suite struct BuildTests {
    static let sizes = [0, 1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129, 500]

    static func rows(_ count: Int, seed: UInt64) -> [RankedRow] {
        var dice = Dice(seed: seed)
        return (0..<Int64(count)).map { id in
            RankedRow(orderKey: .random(in: -9...9, using: &dice), reachedAt: .random(in: 0...99, using: &dice), row: id - 40)
        }
    }

    @Test("a set made of rows is the set that they would make one by one", arguments: sizes, [8, 128])
    func oneByOne(_ count: Int, capacity: Int) {
        let rows = Self.rows(count, seed: 4)
        var model = ModelSet()
        for row in rows { _ = model.set(row) }
        expectAlike(RankedSet.of(rows, tree: RowTree(capacity: capacity)), model)
        expectAlike(RankedSet.of(rows.sorted(), tree: RowTree(capacity: capacity)), model)
    }

    @Test("ten thousand rows stand where sorting puts them, and a set made of them takes any change")
    func tenThousand() {
        let rows = Self.rows(10_000, seed: 5)
        let sorted = rows.sorted()
        var set = RankedSet.of(rows)
        #expect(set.faults() == [] && set.rows(from: 0, limit: .max) == sorted)
        for (position, row) in sorted.enumerated() where set.place(of: row.row)?.position != position {
            Issue.record("\(row) is not at \(position)")
        }
        for row in rows.prefix(9_000) { set.remove(row.row) }
        #expect(set.faults() == [] && set.rows(from: 0, limit: .max) == rows.dropFirst(9_000).sorted())
        for row in rows { set.set(row) }
        #expect(set.faults() == [] && set.rows(from: 0, limit: .max) == sorted)
    }

    @Test("of rows with one id the last given counts, in order or not", arguments: [false, true])
    func duplicates(isSorted: Bool) {
        var dice = Dice(seed: 6)
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

    @Test("a thousand rows of one player are one row")
    func oneID() {
        let rows = (0..<1_000 as Range<Int64>).map { RankedRow(orderKey: $0, reachedAt: 0, row: 1) }
        let set = RankedSet.of(rows)
        #expect(set.rows(from: 0, limit: 5) == [rows[999]] && set.faults() == [])
        let reversed = RankedSet.of(rows.reversed())
        #expect(reversed.rows(from: 0, limit: 5) == [rows[0]] && reversed.faults() == [])
    }
}
