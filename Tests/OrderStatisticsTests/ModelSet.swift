@testable import OrderStatistics

/// A model of `RankedSet` in a sorted array.
struct ModelSet {
    private(set) var sorted: [RankedRow] = []

    mutating func set(_ row: RankedRow) -> RankedRow? {
        let old = remove(row.row)
        sorted.insert(row, at: position(of: row))
        return old
    }

    mutating func remove(_ row: Int64) -> RankedRow? {
        guard let place = sorted.firstIndex(where: { $0.row == row }) else { return nil }
        return sorted.remove(at: place)
    }

    func find(_ row: Int64) -> RankedRow? { sorted.first { $0.row == row } }

    func position(of row: RankedRow) -> Int { sorted.firstIndex { $0 >= row } ?? sorted.count }

    func counts(ofOrderKey orderKey: Int64) -> (better: Int, equal: Int) {
        (sorted.count { $0.orderKey < orderKey }, sorted.count { $0.orderKey == orderKey })
    }

    func rankedPosition(of row: Int64) -> RankedPosition? {
        guard let position = sorted.firstIndex(where: { $0.row == row }) else { return nil }
        let (better, equal) = counts(ofOrderKey: sorted[position].orderKey)
        return RankedPosition(
            row: sorted[position], position: position, better: better, equals: equal,
            above: position > 0 ? sorted[position - 1] : nil, nextBetter: better > 0 ? sorted[better - 1] : nil)
    }

    func rows(from position: Int, limit: Int) -> [RankedRow] {
        Array(sorted.dropFirst(max(0, position)).prefix(max(0, limit)))
    }
}
