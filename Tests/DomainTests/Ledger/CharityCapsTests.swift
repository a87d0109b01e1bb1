import Domain
import FoundationEssentials
import Testing

@Suite struct CharityCapsTests {
    private static let today = Day(daysSince1970: 20_000)
    private static let midnight = Instant(microsecondsSince1970: 20_001 * 86_400_000_000)

    private func charity(_ id: Int32 = 1, day: Int64?, all: Int64?) -> CharityGround {
        CharityGround(
            id: id,
            slug: "trees",
            hours: OpeningHours(opensAt: nil, closesAt: nil),
            board: Board.ID(rawValue: 1),
            ties: .first,
            day: Self.today,
            dayBeganAt: Self.today.startInUTC,
            anonymousRow: -1,
            caps: CharityCaps(day: day, all: all),
            overall: nil,
            hasGiven: false
        )
    }

    private func giving(onDay: Int128, inAll: Int128, to charity: Int32 = 1) -> CappedGiving {
        CappedGiving([
            CappedGiving.Entry(
                charity: charity,
                day: Self.today,
                givenOnDay: onDay,
                givenInAll: inAll,
                nextDay: Self.midnight
            )
        ])
    }

    @Test("gifts fill the caps one after the other, to the last point and not beyond") func fills() {
        var giving = giving(onDay: 3, inAll: 20)
        let charity = charity(day: 10, all: 100)
        #expect(giving.add(5, to: charity) == nil)
        #expect(giving.add(3, to: charity) == CapReached(room: 2, againAt: Self.midnight))
        #expect(giving.add(2, to: charity) == nil)
        #expect(giving.add(1, to: charity) == CapReached(room: 0, againAt: Self.midnight))
    }

    @Test("gifts of one batch count together in all, on whichever day") func inAll() {
        var giving = giving(onDay: 0, inAll: 20)
        let charity = charity(day: nil, all: 30)
        #expect(giving.add(7, to: charity) == nil)
        #expect(giving.add(4, to: charity) == CapReached(room: 3, againAt: nil))
        #expect(giving.add(3, to: charity) == nil)
        #expect(giving.add(1, to: charity) == CapReached(room: 0, againAt: nil))
    }

    @Test(
        "it says when to come again only where the same gift may fit then",
        arguments: [
            (Int64?(10), Int64?.none, Int64(10), true), (10, nil, 11, false), (10, 100, 10, true), (10, 22, 3, false),
            (nil, 22, 3, false), (1, 100, 2, false),
        ]
    )
    func againAt(day: Int64?, all: Int64?, points: Int64, isLater: Bool) {
        var giving = giving(onDay: 10, inAll: 20)
        let cap = giving.add(points, to: charity(day: day, all: all))
        #expect(cap?.againAt == (isLater ? Self.midnight : nil))
        #expect(cap != nil)
    }

    @Test("what an undo brought back above a cap leaves no room, and no negative one") func above() {
        var giving = giving(onDay: 50, inAll: Int128(Int64.max) * 4)
        #expect(giving.add(1, to: charity(day: 10, all: .max)) == CapReached(room: 0, againAt: nil))
        #expect(giving.add(.max, to: charity(day: nil, all: 1)) == CapReached(room: 0, againAt: nil))
    }

    @Test("each charity has its own room") func apart() {
        var giving = giving(onDay: 10, inAll: 10)
        #expect(giving.add(10, to: charity(2, day: 10, all: 10)) == nil)
        #expect(giving.add(1, to: charity(day: 10, all: nil)) != nil)
    }
}
