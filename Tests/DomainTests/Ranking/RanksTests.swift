import Domain
import TestDice
import Testing

@Suite struct RanksTests {
    private struct Shown: Equatable {
        let number: Int64
        let isTied: Bool
    }

    private func shown(_ points: [Int128], limitRows: Int, ties: Board.Ties) -> [Shown] {
        Ranks.consecutive(points, limitRows: limitRows, ties: ties).map { Shown(number: $0.number, isTied: $0.isTied) }
    }

    /// A model that follows the rule in words: a row is tied when another one has its points. A tied row has the
    /// position of the first of them where ties share, and its own position otherwise.
    private func model(_ points: [Int128], limitRows: Int, ties: Board.Ties) -> [Shown] {
        points.enumerated().prefix(limitRows).map { index, own in
            let equals = points.filter { $0 == own }.count
            let before = points.prefix(index).filter { ties == .first || $0 != own }.count
            return Shown(number: Int64(before) + 1, isTied: equals > 1)
        }
    }

    @Test("equal points share a rank and the next one skips") func sharedTies() {
        #expect(Ranks.consecutive([50, 40, 40, 30], limitRows: 4, ties: .shared).map(\.number) == [1, 2, 2, 4])
        #expect(Ranks.consecutive([50, 50, 50, 30], limitRows: 4, ties: .shared).map(\.number) == [1, 1, 1, 4])
    }

    @Test("in positions equal points follow each other, and are marked as tied") func positions() {
        let ranks = Ranks.consecutive([50, 40, 40, 30], limitRows: 4, ties: .first)
        #expect(ranks.map(\.number) == [1, 2, 3, 4])
        #expect(ranks.map(\.isTied) == [false, true, true, false])
    }

    @Test("the row after the last shown one is not ranked, but its tie is seen") func lookAhead() {
        #expect(
            shown([50, 40, 40], limitRows: 2, ties: .shared) == [
                Shown(number: 1, isTied: false), Shown(number: 2, isTied: true),
            ])
        #expect(
            shown([50, 40, 30], limitRows: 2, ties: .shared) == [
                Shown(number: 1, isTied: false), Shown(number: 2, isTied: false),
            ])
    }

    @Test("no rows have no ranks, and no row shown is none") func empty() {
        #expect(Ranks.consecutive([], limitRows: 100, ties: .shared).isEmpty)
        #expect(Ranks.consecutive([1, 1], limitRows: 0, ties: .first).isEmpty)
    }

    @Test("points wider than 64 bits are told apart") func wide() {
        let points: [Int128] = [.max, .max - 1, Int128(Int64.max) + 1, Int128(Int64.max), .min]
        #expect(Ranks.consecutive(points, limitRows: 5, ties: .shared).map(\.number) == [1, 2, 3, 4, 5])
    }

    @Test("ranks are those of a naive model, whichever end is best", arguments: Board.Ties.allCases, Dice.seeds(7))
    func model(ties: Board.Ties, seed: UInt64) {
        var dice = Dice(seed: seed)
        for round in 0..<2_000 {
            let lowestFirst = round % 2 == 1
            let spread = Int128(Int.random(in: 0...6, using: &dice))
            let rows = (0..<Int.random(in: 0...30, using: &dice)).map { _ in
                Int128.random(in: -spread...spread, using: &dice)
            }
            let points = lowestFirst ? rows.sorted() : rows.sorted(by: >)
            let limitRows = Int.random(in: max(0, points.count - 1)...(points.count + 2), using: &dice)
            #expect(
                shown(points, limitRows: limitRows, ties: ties) == model(points, limitRows: limitRows, ties: ties),
                "round \(round)")
        }
    }
}
