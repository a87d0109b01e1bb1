import Domain
import FoundationEssentials
import Testing

@Suite struct CharityCapsTests {
    private static let today = Day(daysSince1970: 20_000)
    private static let midnight = Instant(microsecondsSince1970: 20_001 * 86_400_000_000)

    private func charity(_ id: Int32 = 1, day: Int64?, all: Int64?) -> CharityContext {
        CharityContext(
            id: id, slug: "trees", hours: OpeningHours(opensAt: nil, closesAt: nil), board: Board.ID(rawValue: 1),
            ties: .first, day: Self.today, dayBeganAt: Self.today.startInUTC, anonymousRow: -1,
            caps: CharityCaps(day: day, all: all), overall: nil, hasDonated: false)
    }

    private func capped(onDay: Int128, inAll: Int128, to charity: Int32 = 1) -> CappedDonations {
        CappedDonations([
            CappedDonations.Entry(
                charity: charity, day: Self.today, donatedOnDay: onDay, donatedInAll: inAll, nextDay: Self.midnight)
        ])
    }

    @Test("donations fill the caps one after the other, to the last point and not beyond") func fills() {
        var capped = capped(onDay: 3, inAll: 20)
        let charity = charity(day: 10, all: 100)
        #expect(capped.add(5, to: charity) == nil)
        #expect(capped.add(3, to: charity) == CapReached(room: 2, againAt: Self.midnight))
        #expect(capped.add(2, to: charity) == nil)
        #expect(capped.add(1, to: charity) == CapReached(room: 0, againAt: Self.midnight))
    }

    @Test("donations of one batch count together in all, on whichever day") func inAll() {
        var capped = capped(onDay: 0, inAll: 20)
        let charity = charity(day: nil, all: 30)
        #expect(capped.add(7, to: charity) == nil)
        #expect(capped.add(4, to: charity) == CapReached(room: 3, againAt: nil))
        #expect(capped.add(3, to: charity) == nil)
        #expect(capped.add(1, to: charity) == CapReached(room: 0, againAt: nil))
    }

    @Test(
        "it says when to come again only where the same donation may fit then",
        arguments: [
            (Int64?(10), Int64?.none, Int64(10), true), (10, nil, 11, false), (10, 100, 10, true), (10, 22, 3, false),
            (nil, 22, 3, false), (1, 100, 2, false),
        ]) func againAt(day: Int64?, all: Int64?, points: Int64, isLater: Bool)
    {
        var capped = capped(onDay: 10, inAll: 20)
        let cap = capped.add(points, to: charity(day: day, all: all))
        #expect(cap?.againAt == (isLater ? Self.midnight : nil))
        #expect(cap != nil)
    }

    @Test("what an undo brought back above a cap leaves no room, and no negative one") func above() {
        var capped = capped(onDay: 50, inAll: Int128(Int64.max) * 4)
        #expect(capped.add(1, to: charity(day: 10, all: .max)) == CapReached(room: 0, againAt: nil))
        #expect(capped.add(.max, to: charity(day: nil, all: 1)) == CapReached(room: 0, againAt: nil))
    }

    @Test("each charity has its own room") func apart() {
        var capped = capped(onDay: 10, inAll: 10)
        #expect(capped.add(10, to: charity(2, day: 10, all: 10)) == nil)
        #expect(capped.add(1, to: charity(day: 10, all: nil)) != nil)
    }
}
