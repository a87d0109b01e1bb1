import Domain
import Testing

@Suite struct RankPositionTests {
    private static func position(_ position: Int64, sharedFrom shared: Int64, equals: Int64) -> RankPosition {
        RankPosition(
            sortKey: SortKey(orderKey: -5, reachedAt: Instant(microsecondsSince1970: 0), row: 7), points: 5,
            position: position, sharedPosition: shared, equals: equals, pointsAbove: nil, betterPoints: nil)
    }

    @Test(
        "the first row of a later page is tied if its equals began on the page before", arguments: Board.Ties.allCases)
    func laterPage(ties: Board.Ties) {
        func ranks(sharedFrom shared: Int64) -> [Rank] {
            Ranks.consecutive([40, 30], from: 5, sharedFrom: shared, limitRows: 2, ties: ties)
        }
        let tied = ranks(sharedFrom: 3)
        #expect(tied.map(\.number) == [ties == .shared ? 3 : 5, 6] && tied.map(\.isTied) == [true, false])
        let alone = ranks(sharedFrom: 5)
        #expect(alone.map(\.number) == [5, 6] && alone.map(\.isTied) == [false, false])
    }

    @Test("the percentile counts those who are worse, and halves are rounded up") func percentile() {
        // Two of three others are worse: 66.67 %. One of 16 others is: 6.25 %, half way between two tenths.
        for (place, size, tenths) in [(1, 4, 1_000), (2, 4, 667), (3, 4, 333), (4, 4, 0), (16, 17, 63)]
            as [(Int64, Int64, Int64)]
        {
            for ties in Board.Ties.allCases {
                #expect(Self.position(place, sharedFrom: place, equals: 1).percentileTenths(of: size, ties) == tenths)
            }
        }
    }

    @Test("players who share a rank share its percentile; elsewhere each has that of its position")
    func tiedPercentile() {
        // The second to fourth of five have the same points.
        let tied = (Int64(2)...4).map { Self.position($0, sharedFrom: 2, equals: 3) }
        #expect(tied.map { $0.percentileTenths(of: 5, .shared) } == [250, 250, 250])
        #expect(tied.map { $0.percentileTenths(of: 5, .first) } == [750, 500, 250])
    }

    @Test("a number of rows that is older than the position is raised to it") func oldSize() {
        #expect(Self.position(6, sharedFrom: 6, equals: 1).percentileTenths(of: 3, .first) == 0)
        #expect(Self.position(2, sharedFrom: 1, equals: 4).percentileTenths(of: 1, .first) == 667)
        #expect(
            Self.position(1, sharedFrom: 1, equals: 1).percentileTenths(of: 0, .first) == nil, "there are no others")
        #expect(Self.position(1, sharedFrom: 1, equals: 2).percentileTenths(of: 0, .shared) == 0)
    }
}
