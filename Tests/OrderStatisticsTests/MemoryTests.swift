import Synchronization
import TestDice
import Testing

@testable import OrderStatistics

@Suite struct MemoryTests {
    static let count: Int64 = 20_000

    static func row(_ id: Int64, _ dice: inout Dice) -> RankedRow {
        RankedRow(orderKey: .random(in: 0...1_000_000, using: &dice), reachedAt: id, row: id)
    }

    @Test(
        """
        a row takes at most 44 bytes after rows have come in order, \
        and at most 48 after they came in any, and after all have moved twice
        """, arguments: [false, true]) func bytes(isSorted: Bool)
    {
        var dice = Dice(seed: 7)
        let rows = (0..<Self.count).map { Self.row($0, &dice) }
        var set = RankedSet.of(isSorted ? rows.sorted() : rows)
        #expect(set.allocatedBytes <= (isSorted ? 44 : 48) * set.count)
        for _ in 0..<2 { for id in 0..<Self.count { set.set(Self.row(id, &dice)) } }
        #expect(set.allocatedBytes <= 48 * set.count)
        #expect(set.faults() == [])
    }

    @Test("a set that has lost its rows has given its memory back", arguments: Dice.seeds(8)) func shrinks(seed: UInt64)
    {
        var dice = Dice(seed: seed)
        var set = RankedSet()
        for id in 0..<Self.count { set.set(Self.row(id, &dice)) }
        let full = set.allocatedBytes
        for id in 0..<Self.count where id % 20 != 0 { set.remove(id) }
        #expect(set.allocatedBytes < full / 8)
        #expect(set.faults() == [])
        for id in 0..<Self.count { set.remove(id) }
        #expect(set.allocatedBytes < full / 100)
        #expect(set.faults() == [])
    }

    @Test("a set may live in a mutex") func mutex() {
        let set = Mutex(RankedSet())
        let row = RankedRow(orderKey: 1, reachedAt: 1, row: 1)
        #expect(set.withLock { $0.set(row) } == nil)
        #expect(set.withLock { $0.rankedPosition(of: 1)?.row } == row)
    }
}
