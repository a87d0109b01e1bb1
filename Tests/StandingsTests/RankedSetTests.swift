import Standings
import TestDice
import Testing

/// The set against a sorted array.
@Suite struct RankedSetTests {
    @Test("random rows, moves and removals leave every place as a sorted array has it", arguments: Shape.allCases)
    func histories(_ shape: Shape) {
        var dice = Dice(seed: 20_261_121)
        for size in [3, 200, 3_000] {
            var set = RankedSet()
            var model = Model()
            for step in 0..<(size * 3) {
                let id = Int64.random(in: 0..<Int64(size), using: &dice) - 1
                if dice.next() % 4 == 0 {
                    #expect(set.remove(shape.id(id)) == model.remove(shape.id(id)))
                } else {
                    let row = shape.row(id, step: step, &dice)
                    #expect(set.set(row) == model.set(row))
                }
                if size <= 3 || step % (size / 3) == 0 { model.compare(set, &dice) }
            }
            for id in (-1..<Int64(size)).map(shape.id) { #expect(set.remove(id) == model.remove(id)) }
            #expect(set.count == 0 && set.rows(from: 0, limit: 10).isEmpty && set.place(of: 0) == nil)
            for id in 0..<Int64(size) {
                let row = shape.row(id, step: Int(id), &dice)
                #expect(set.set(row) == model.set(row))
            }
            model.compare(set, &dice)
        }
    }

    @Test("a build of any size and order is the set of its rows", arguments: [0, 1, 2, 107, 108, 109, 124, 125, 10_000, 60_000])
    func build(_ size: Int) {
        var dice = Dice(seed: UInt64(size))
        var rows = (0..<Int64(size)).map { Shape.few.row($0, step: 0, &dice) }
        for order in 0..<3 {
            if order == 1 { rows.sort() } else if order == 2 { rows.reverse() }
            var set = RankedSet(sorting: rows)
            var model = Model()
            for row in rows { _ = model.set(row) }
            model.compare(set, &dice)
            for _ in 0..<500 where size > 0 {
                let row = Shape.few.row(Int64.random(in: 0..<Int64(size), using: &dice), step: 0, &dice)
                #expect(set.set(row) == model.set(row))
                let gone = Int64.random(in: 0..<Int64(size), using: &dice)
                #expect(set.remove(gone) == model.remove(gone))
            }
            model.compare(set, &dice)
        }
    }

    @Test("of several rows of one player a build keeps the best")
    func twice() {
        let rows = [30, 10, 20].map { RankedRow(orderKey: $0, reachedAt: 0, row: 7) } + [RankedRow(orderKey: 15, reachedAt: 0, row: 8)]
        let set = RankedSet(sorting: rows)
        #expect(set.rows(from: 0, limit: 9) == [rows[1], rows[3]])
    }

    @Test("positions out of range have no rows")
    func ranges() {
        let set = RankedSet(sorting: (0..<300).map { RankedRow(orderKey: $0, reachedAt: 0, row: $0) })
        for position in [Int.min, -1, 300, Int.max] { #expect(set.rows(from: position, limit: 5).isEmpty) }
        for limit in [Int.min, -1, 0] { #expect(set.rows(from: 0, limit: limit).isEmpty) }
        #expect(set.rows(from: 298, limit: .max).map(\.row) == [298, 299])
    }

    @Test("a row takes at most 64 bytes, also after many moves, and what is removed makes room for others")
    func memory() {
        var dice = Dice(seed: 1)
        let size: Int64 = 100_000
        var set = RankedSet(sorting: (0..<size).map { Shape.many.row($0, step: 0, &dice) })
        #expect(set.allocatedBytes < 64 * Int(size))
        for _ in 0..<300_000 { set.set(Shape.many.row(Int64.random(in: 0..<size, using: &dice), step: 0, &dice)) }
        #expect(set.allocatedBytes < 64 * Int(size))
        let most = set.allocatedBytes
        for id in 0..<size { set.remove(id) }
        for id in 0..<size { set.set(Shape.many.row(id + size, step: 0, &dice)) }
        #expect(set.count == Int(size) && set.allocatedBytes < most + most / 4)
    }
}

/// How points are spread.
enum Shape: CaseIterable {
    case many, few, same, rising, falling, extreme

    func row(_ id: Int64, step: Int, _ dice: inout Dice) -> RankedRow {
        let at = Int64.random(in: 0..<50, using: &dice)
        return switch self {
        case .many: RankedRow(orderKey: .random(in: -1_000_000_000...1_000_000_000, using: &dice), reachedAt: at, row: id)
        case .few: RankedRow(orderKey: .random(in: -5...5, using: &dice), reachedAt: at, row: id)
        case .same: RankedRow(orderKey: 0, reachedAt: 0, row: id)
        case .rising: RankedRow(orderKey: Int64(step), reachedAt: at, row: id)
        case .falling: RankedRow(orderKey: Int64(0 - step), reachedAt: at, row: id)
        case .extreme:
            RankedRow(
                orderKey: [.min, .min + 1, -1, 0, 1, .max - 1, .max].randomElement(using: &dice) ?? 0,
                reachedAt: [.min, 0, .max].randomElement(using: &dice) ?? 0, row: self.id(id))
        }
    }

    /// Whose the row is.
    func id(_ id: Int64) -> Int64 {
        self == .extreme ? id &+ (id & 1 == 0 ? .min : .max) : id
    }
}

/// The same by sorting an array.
struct Model {
    private var rows: [Int64: RankedRow] = [:]

    mutating func set(_ row: RankedRow) -> RankedRow? {
        rows.updateValue(row, forKey: row.row)
    }

    mutating func remove(_ id: Int64) -> RankedRow? {
        rows.removeValue(forKey: id)
    }

    /// Compares everything, or of many rows some.
    func compare(_ set: borrowing RankedSet, _ dice: inout Dice) {
        let sorted = rows.values.sorted()
        #expect(set.count == sorted.count)
        #expect(set.rows(from: 0, limit: .max) == sorted)
        for _ in 0..<min(200, sorted.count) {
            let position = Int.random(in: 0..<sorted.count, using: &dice)
            let row = sorted[position]
            let better = sorted.firstIndex { $0.orderKey == row.orderKey } ?? -1
            let end = (sorted.lastIndex { $0.orderKey == row.orderKey } ?? -1) + 1
            let expected = [
                RankedPlaceByHand(
                    position: position, better: better, equals: end - better, above: position > 0 ? sorted[position - 1] : nil,
                    nextBetter: better > 0 ? sorted[better - 1] : nil)
            ]
            let place = set.place(of: row.row)
            #expect(
                place.map {
                    RankedPlaceByHand(
                        position: $0.position, better: $0.better, equals: $0.equals, above: $0.above, nextBetter: $0.nextBetter)
                } == expected[0])
            #expect(set.find(row.row) == row && place?.row == row)
            #expect(set.position(of: row) == position)
            #expect(set.counts(ofOrderKey: row.orderKey) == (better, end - better))
            let start = Int.random(in: 0..<sorted.count, using: &dice)
            #expect(set.rows(from: start, limit: 7) == Array(sorted[start...].prefix(7)))
            let other = RankedRow(orderKey: row.orderKey, reachedAt: row.reachedAt &+ 1, row: row.row)
            #expect(set.position(of: other) == sorted.firstIndex { $0 >= other } ?? sorted.count)
        }
        #expect(set.find(4_242_424_242) == nil && set.place(of: 4_242_424_242) == nil)
    }
}

struct RankedPlaceByHand: Equatable {
    let position, better, equals: Int
    let above, nextBetter: RankedRow?
}
