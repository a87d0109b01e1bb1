import Domain
import Synchronization
import Testing

@testable import Leaderboard

@Suite struct ServerClockTests {
    /// A clock that is set by hand, in microseconds.
    private final class Time: Sendable {
        let now = Mutex<Int64>(0)
        func set(_ microseconds: Int64) { now.withLock { $0 = microseconds } }
        var instant: Instant { now.withLock { Instant(microsecondsSince1970: $0) } }
    }

    @Test("arrivals strictly increase while the clock stands still or goes back a little") func increasing() {
        let time = Time()
        let clock = ServerClock { time.instant }
        time.set(10_000_000)
        var arrivals = [clock.arrival(), clock.arrival()]
        for microseconds: Int64 in [9_999_999, 9_500_000, 9_000_003, 10_000_001] {
            time.set(microseconds)
            arrivals.append(clock.arrival())
        }
        #expect(arrivals.map(\.microsecondsSince1970) == Array(10_000_000...10_000_005))
    }

    @Test("a clock that was an hour ahead is believed once it is set right") func setBack() {
        let time = Time()
        let clock = ServerClock { time.instant }
        let (right, wrong): (Int64, Int64) = (1_000_000_000_000, 1_003_600_000_000)
        time.set(wrong)
        #expect(clock.arrival().microsecondsSince1970 == wrong)
        time.set(right)
        #expect(clock.arrival().microsecondsSince1970 == right)
        #expect(clock.arrival().microsecondsSince1970 == right + 1)
    }
}
