import Testing

@testable import Domain

@Suite struct HoldRulesTests {
    private static let noon = Instant(microsecondsSince1970: 1_700_000_000_000_000)

    private static func rules(
        _ settings: HoldSettings, settle: Int32 = 10, posts: Int32 = 1_000, percentile: Int64? = 100
    ) -> HoldRules { HoldRules(settings, settleMinutes: settle, postsCount: posts, percentile: percentile) }

    private static func reasons(
        _ rules: HoldRules, _ points: Int64, times: PostTimes? = nil, after seconds: Int64 = 0,
        lowestFirst: Bool = false
    ) -> [HoldReason] {
        rules.reasons(
            points: points, times: times, playedAt: noon.advanced(bySeconds: seconds), lowestFirst: lowestFirst)
    }

    @Test(
        "a factor is read and written with three decimals at most",
        arguments: [("10", 10_000), ("2.5", 2_500), ("0.001", 1), ("1000000", 1_000_000_000), ("0.250", 250)])
    func factors(text: String, thousandths: Int64) throws {
        let factor = try #require(HoldFactor(text))
        #expect(factor.thousandths == thousandths)
        #expect(HoldFactor(factor.description) == factor)
    }

    @Test(
        "what is no such factor is refused",
        arguments: [
            "", "0", "0.0001", "1e3", "-1", "1000000.001", ".5", "5.", "1.2.3", " 1", "99999999999999999",
            "9999999999999999", "99999999999", "9223372036854776", "٣", "1,5",
        ]) func noFactors(text: String)
    { #expect(HoldFactor(text) == nil) }

    @Test("a post is above so many times the percentile, not at it") func above() {
        let high = Self.rules(HoldSettings(above: HoldFactor("2.5")))
        #expect(Self.reasons(high, 250) == [])
        #expect(Self.reasons(high, 251) == [.above])
        let low = Self.rules(HoldSettings(above: HoldFactor("0.5")))
        #expect(Self.reasons(low, 50, lowestFirst: true) == [])
        #expect(Self.reasons(low, 49, lowestFirst: true) == [.above])
        let most = Self.rules(HoldSettings(above: HoldFactor("1000000")), percentile: .max)
        #expect(Self.reasons(most, .max) == [], "no product overflows")
    }

    @Test("nothing is compared with too few posts, without a measure, or with one that bounds nothing")
    func unmeasured() {
        let above = HoldSettings(above: HoldFactor("2"), rate: 1, pace: 1)
        let times = PostTimes(last: Self.noon, earliest: Self.noon)
        #expect(Self.reasons(Self.rules(above), 1_000, times: times) == [.above, .rate, .pace])
        #expect(Self.reasons(Self.rules(above, posts: 999), 1_000, times: times) == [])
        #expect(Self.reasons(Self.rules(above, percentile: nil), 1_000) == [])
        #expect(Self.reasons(Self.rules(above, percentile: 0), 1_000) == [])
        #expect(Self.reasons(Self.rules(above, percentile: -5), 1_000) == [])
    }

    @Test("a game judges each post from the first, beside what rules say") func judged() {
        let rules = Self.rules(HoldSettings(judgeMinutes: 5), posts: 0)
        #expect(Self.reasons(rules, 0) == [.judge])
        #expect(rules.judgeUntil(Self.noon) == Self.noon.advanced(bySeconds: 300))
        #expect(HoldRules.none.judgeUntil(Self.noon) == nil)
        #expect(HoldRules.none.settlesAt(Self.noon) == nil)
        #expect(rules.settlesAt(Self.noon) == Self.noon.advanced(bySeconds: 600))
    }

    @Test("so many posts within a minute are allowed, and not one more") func rate() {
        let rules = Self.rules(HoldSettings(rate: 3))
        let full = PostTimes(last: Self.noon, earliest: Self.noon.advanced(bySeconds: -30))
        #expect(Self.reasons(rules, 1, times: full, after: 29) == [.rate])
        #expect(Self.reasons(rules, 1, times: full, after: 30) == [])
        #expect(Self.reasons(rules, 1, times: PostTimes(last: Self.noon, earliest: nil)) == [], "fewer were posted")
    }

    @Test("points take the time that the pace gives them, whatever the clock says") func pace() {
        let rules = Self.rules(HoldSettings(pace: 60))
        let before = PostTimes(last: Self.noon, earliest: nil)
        #expect(Self.reasons(rules, 30, times: before, after: 30) == [])
        #expect(Self.reasons(rules, 31, times: before, after: 30) == [.pace])
        #expect(Self.reasons(rules, 1, times: before, after: 0) == [.pace])
        #expect(Self.reasons(rules, 0, times: before, after: 0) == [])
        #expect(Self.reasons(rules, .min, times: before, after: -9) == [])
        #expect(Self.reasons(rules, .max, times: PostTimes(last: nil, earliest: nil)) == [], "there is no time before")
        #expect(Self.reasons(Self.rules(HoldSettings(pace: .max)), .max, times: before, after: 1) == [.pace])
    }

    @Test("a time that a client says is believed between its last post and now, so that nobody gains time") func times()
    {
        let times = PostTimes(last: Self.noon, earliest: nil)
        let later = Self.noon.advanced(bySeconds: 90)
        func time(_ seconds: Int64?) -> Instant {
            times.time(playedAt: seconds.map { Self.noon.advanced(bySeconds: $0) }, reachedAt: later)
        }
        #expect(time(30) == Self.noon.advanced(bySeconds: 30))
        #expect(time(0) == Self.noon)
        #expect(time(-1) == later)
        #expect(time(91) == later)
        #expect(time(nil) == later)
        // Rows that arrive in another order than they are judged in gain nothing either.
        #expect(times.time(playedAt: nil, reachedAt: Self.noon.advanced(bySeconds: -5)) == Self.noon)
        let first = PostTimes(last: nil, earliest: nil)
        #expect(first.time(playedAt: Self.noon, reachedAt: later) == Self.noon, "the first post has waited, too")
        let longAgo = later.advanced(bySeconds: -86_401)
        #expect(first.time(playedAt: longAgo, reachedAt: later) == later, "but not for longer than a day")
    }
}
