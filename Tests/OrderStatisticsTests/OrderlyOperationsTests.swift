import TestDice
import Testing

@testable import OrderStatistics

@Suite struct OrderlyOperationsTests {
    enum Order: CaseIterable { case ascending, descending, sameKey, insideOut, alternating }

    static func rows(_ count: Int, in order: Order) -> [RankedRow] {
        (0..<Int64(count)).map { (step: Int64) -> RankedRow in
            let orderKey: Int64 =
                switch order {
                case .ascending: step
                case .descending: -step
                case .sameKey: Int64(5)
                case .insideOut: step % 2 == 0 ? step : -step
                case .alternating: step % 2 == 0 ? Int64.min + step : Int64.max - step
                }
            return RankedRow(orderKey: orderKey, reachedAt: 0, row: order == .sameKey ? -step : step)
        }
    }

    @Test("rows that come and go in order leave what a sorted array has", arguments: Order.allCases, [8, 128])
    func comeAndGo(_ order: Order, capacity: Int) {
        let rows = Self.rows(600, in: order)
        for leaving in [rows, rows.reversed(), rows.shuffled(seed: 3)] {
            var set = RankedSet(tree: RowTree(capacity: capacity))
            for row in rows { #expect(set.set(row) == nil) }
            #expect(set.faults() == [])
            #expect(set.rows(from: 0, limit: .max) == rows.sorted())
            for (gone, row) in leaving.enumerated() {
                #expect(set.remove(row.row) == row)
                if gone % 97 == 0 {
                    #expect(set.faults() == [])
                    #expect(set.rows(from: 0, limit: .max) == leaving.dropFirst(gone + 1).sorted())
                }
            }
            #expect(set.count == 0 && set.faults() == [])
            for row in leaving { set.set(row) }
            #expect(set.rows(from: 0, limit: .max) == rows.sorted() && set.faults() == [])
        }
    }

    @Test("every answer is right after rows have come in order", arguments: Order.allCases) func answers(_ order: Order)
    {
        var set = RankedSet()
        var model = ModelSet()
        for row in Self.rows(400, in: order) { #expect(set.set(row) == model.set(row)) }
        expectAlike(set, model)
    }

    @Test("ids that nobody has, and sets without rows, are answered with nothing") func nothing() {
        var set = RankedSet()
        expectAlike(set, ModelSet())
        #expect(set.remove(1) == nil && set.find(.min) == nil && set.rankedPosition(of: .max) == nil)
        #expect(set.allocatedBytes < 200, "an empty set takes next to nothing")
        set.set(RankedRow(orderKey: .min, reachedAt: .min, row: .min))
        set.set(RankedRow(orderKey: .max, reachedAt: .max, row: .max))
        #expect(set.remove(0) == nil && set.remove(.min) != nil && set.remove(.min) == nil)
        #expect(set.rows(from: 0, limit: 9).map(\.row) == [.max])
    }

    @Test("a row set to what it is already is given back, and nothing changes") func same() {
        var set = RankedSet()
        let row = RankedRow(orderKey: 1, reachedAt: 2, row: 3)
        #expect(set.set(row) == nil && set.set(row) == row && set.count == 1)
        #expect(
            set.rankedPosition(of: 3)
                == RankedPosition(row: row, position: 0, better: 0, equals: 1, above: nil, nextBetter: nil))
    }
}

extension Array {
    fileprivate func shuffled(seed: UInt64) -> [Element] {
        var dice = Dice(seed: seed)
        return shuffled(using: &dice)
    }
}
