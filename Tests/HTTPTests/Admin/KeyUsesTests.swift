import Domain
import Testing

@testable import HTTP

@Suite struct DayUsesTests {
    private func key(_ number: Int) -> TokenHash { TokenHash(bytes: Array("\(number)".utf8)) }

    @Test("a key is first once a day, again after a failure, and there are never more than a bound") func first() {
        let uses = DayUses<TokenHash>(max: Limits.knownKeysMax)
        let day = Day(daysSince1970: 20_000)
        #expect(uses.isFirst(of: key(1), on: day) && uses.isFirst(of: key(2), on: day))
        #expect(!uses.isFirst(of: key(1), on: day))
        uses.forget(key(1))
        #expect(uses.isFirst(of: key(1), on: day) && !uses.isFirst(of: key(2), on: day))
        #expect(uses.isFirst(of: key(1), on: day.advanced(byDays: 1)))
        for number in 3...(Limits.knownKeysMax + 10) { _ = uses.isFirst(of: key(number), on: day.advanced(byDays: 1)) }
        #expect(uses.isFirst(of: key(1), on: day.advanced(byDays: 1)), "it was dropped with the others")
    }
}
