import Domain
import Testing

@testable import HTTP
@testable import HTTPServer

@Suite("known keys") struct KnownKeysTests {
    @Test("a key is known until it is removed or its time is over") func time() {
        let keys = KnownKeys()
        let end = 5 + UInt64(Limits.knownKeySeconds) * 1_000_000_000
        keys.insert(Self.key(1), at: 5)
        keys.insert(Self.key(2), at: 5)
        keys.remove(Self.key(2))
        #expect(keys.contains(Self.key(1), at: end - 1))
        #expect(!keys.contains(Self.key(1), at: end))
        #expect(!keys.contains(Self.key(2), at: 5))
        #expect(!keys.contains(Self.key(3), at: 5))
    }

    @Test("however many are good, a bounded number is remembered, the newest among them") func bound() {
        let keys = KnownKeys()
        for number in 0..<3 * Limits.knownKeysMax {
            keys.insert(Self.key(number), at: 1)
            #expect(keys.contains(Self.key(number), at: 1))
            #expect(keys.count <= Limits.knownKeysMax)
        }
        keys.insert(Self.key(3 * Limits.knownKeysMax - 1), at: 2)
        #expect(keys.contains(Self.key(3 * Limits.knownKeysMax - 2), at: 1), "one that is known drops nobody")
    }

    private static func key(_ number: Int) -> BucketKey {
        BucketKey(TokenHash(bytes: [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]))
    }
}

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
