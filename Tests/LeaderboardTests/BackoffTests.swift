import Testing

@testable import Leaderboard

@Suite struct BackoffTests {
    @Test("pauses double up to the longest, and begin again after a success") func doubles() {
        var backoff = Backoff(first: .milliseconds(10), longest: .milliseconds(50))
        #expect((0..<5).map { _ in backoff.next() } == [10, 20, 40, 50, 50].map { .milliseconds($0) })
        backoff.reset()
        #expect(backoff.next() == .milliseconds(10))
    }
}
