import Testing

@testable import OrderStatistics

/// Expects that a set and its model give the same answers: for every position and neighbour, for ids and keys that are
/// not in the set, and for positions out of range.
func expectAlike(_ set: borrowing RankedSet, _ model: ModelSet, sourceLocation: SourceLocation = #_sourceLocation) {
    var differences = set.faults()
    func check(_ isAlike: Bool, _ what: @autoclosure () -> String) { if !isAlike { differences.append(what()) } }
    check(set.count == model.sorted.count, "count")
    check(set.negativeCount == model.sorted.count { $0.row < 0 }, "rows with negative ids")
    check(set.orderKeySum == model.sorted.reduce(0) { $0 + Int128($1.orderKey) }, "the sum of the order keys")
    check(set.rows(from: 0, limit: .max) == model.sorted, "rows")
    let some = model.sorted.enumerated().filter { $0.offset % 3 != 1 }.map(\.element)
    let ids = Set(some.map(\.row) + [.min, .max, 0, -1])
    check(set.rows(withIDs: Array(ids)) == model.sorted.filter { ids.contains($0.row) }, "rows with ids")
    for row in model.sorted.map(\.row) + [.min, .max, 0, -1] {
        check(set.find(row) == model.find(row), "find \(row)")
        let position = model.rankedPosition(of: row)
        check(set.rankedPosition(of: row) == position, "place of \(row)")
        check(set.position(ofRow: row) == position?.position, "position of row \(row)")
    }
    for row in model.sorted + corners {
        check(set.position(of: row) == model.position(of: row), "position of \(row)")
        let other = RankedRow(orderKey: row.orderKey, reachedAt: row.reachedAt, row: row.row ^ 1)
        check(set.position(of: other) == model.position(of: other), "position of \(other)")
    }
    for orderKey in Set(model.sorted.map(\.orderKey) + corners.map(\.orderKey)) {
        let counts = model.counts(ofOrderKey: orderKey)
        check(set.counts(ofOrderKey: orderKey) == counts, "counts of \(orderKey)")
        check(set.better(thanOrderKey: orderKey) == counts.better, "rows better than \(orderKey)")
    }
    for position in [Int.min, -1, .max] + Array(0...model.sorted.count) {
        for limit in [Int.min, 0, 1, 5, position % 300, position == 2 ? .max : 2] {
            check(
                set.rows(from: position, limit: limit) == model.rows(from: position, limit: limit),
                "\(limit) rows from \(position)")
        }
    }
    #expect(differences.isEmpty, sourceLocation: sourceLocation)
}

/// Rows with keys at the ends of 64 bits.
private let corners: [RankedRow] = [Int64.min, -1, 0, 1, .max].flatMap { orderKey in
    [Int64.min, 0, .max].flatMap { reachedAt in
        [Int64.min, 0, .max].map { RankedRow(orderKey: orderKey, reachedAt: reachedAt, row: $0) }
    }
}
