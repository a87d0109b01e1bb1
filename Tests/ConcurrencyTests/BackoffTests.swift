import Concurrency
import Testing

@Suite struct BackoffTests {
    @Test("pauses double up to the longest, and begin again after a success") func doubles() {
        var backoff = Backoff(first: .milliseconds(10), longest: .milliseconds(50))
        #expect((0..<5).map { _ in backoff.next() } == [10, 20, 40, 50, 50].map { .milliseconds($0) })
        backoff.reset()
        #expect(backoff.next() == .milliseconds(10))
    }

    @Test("a random pause is between half and all of the pause, which doubles each time") func atRandom() {
        var longest = Duration.zero
        for _ in 0..<200 {
            var backoff = Backoff(first: .milliseconds(10), longest: .milliseconds(50))
            let (first, second) = (backoff.nextAtRandom(), backoff.nextAtRandom())
            #expect(first >= .milliseconds(5) && first <= .milliseconds(10))
            #expect(second >= .milliseconds(10) && second <= .milliseconds(20))
            longest = max(longest, first)
        }
        #expect(longest > .milliseconds(5))
    }
}
