import Domain
import Testing

@Suite struct OpeningHoursTests {
    private let now = Instant(microsecondsSince1970: 1_000_000_000)

    @Test("a board has closed only at a past time, and opens only at a future one") func times() {
        let (before, after) = (now.advanced(bySeconds: -1), now.advanced(bySeconds: 1))
        func hours(_ opensAt: Instant?, _ closesAt: Instant?) -> OpeningHours.State {
            OpeningHours(opensAt: opensAt, closesAt: closesAt).state(at: now)
        }
        #expect(hours(after, nil) == .opens(after))
        #expect(hours(before, before) == .closed(before))
        #expect(hours(nil, now) == .closed(now))
        #expect(hours(before, after) == .open)
        #expect(hours(nil, after) == .open)
        #expect(hours(nil, nil) == .open)
    }
}
