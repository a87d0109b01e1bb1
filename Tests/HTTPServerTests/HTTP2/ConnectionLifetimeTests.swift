import Domain
import NIOCore
import NIOHTTP2
import Testing

@testable import HTTPServer

/// When an HTTP/2 connection ends, and what its client is told before.
@Suite struct ConnectionLifetimeTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
    private var lifetime = ConnectionLifetime(at: start)
    private var now = start

    @Test("a connection that leaves answers the streams that are open and no others, and closes after them")
    mutating func leaves() {
        let isAnswered = lifetime.streamOpened(1, at: now)
        #expect(lifetime.leave() == .goAway(last: 1))
        #expect(lifetime.leave() == nil)
        let isLateAnswered = lifetime.streamOpened(3, at: now)
        #expect(isAnswered && !isLateAnswered)
        #expect(lifetime.streamClosed(at: now) == nil)
        #expect(lifetime.streamClosed(at: now) == .close)
        #expect(lifetime.leave() == nil)
    }

    @Test("a connection that quiesces announces it, names the last stream, and closes after it") mutating func quiesce()
    {
        lifetime.streamOpened(1, at: now)
        lifetime.streamOpened(3, at: now)
        #expect(lifetime.quiesce(at: now) == .announce)
        #expect(lifetime.quiesce(at: now) == nil)
        // This one was opened before the client had heard.
        lifetime.streamOpened(5, at: now)
        #expect(lifetime.announcementAcknowledged() == .goAway(last: 5))
        #expect(lifetime.announcementAcknowledged() == nil)
        #expect(lifetime.streamClosed(at: now) == nil)
        #expect(lifetime.streamClosed(at: now) == nil)
        #expect(lifetime.streamClosed(at: now) == .close)
        #expect(lifetime.check(at: now) == nil)
    }

    @Test("a client that does not acknowledge is not waited for") mutating func silence() {
        #expect(lifetime.quiesce(at: now) == .announce)
        #expect(lifetime.check(at: now) == nil)
        now = now + .seconds(Limits.goAwaySeconds)
        #expect(lifetime.check(at: now) == .goAway(last: .rootStream))
        #expect(lifetime.check(at: now) == .close)
    }

    @Test("a connection without a stream is idle; pings do not keep it") mutating func idle() {
        lifetime.streamOpened(1, at: now)
        now = now + .seconds(Limits.idleSeconds)
        #expect(lifetime.check(at: now) == nil)
        #expect(lifetime.streamClosed(at: now) == nil)
        now = now + .seconds(Limits.idleSeconds - 1)
        #expect(lifetime.check(at: now) == nil)
        now = now + .seconds(1)
        #expect(lifetime.check(at: now) == .announce)
    }

    @Test("a connection on which nothing was asked is not kept as long as one that was used") mutating func unused() {
        now = now + .seconds(Limits.headSecondsMax - 1)
        #expect(lifetime.check(at: now) == nil)
        now = now + .seconds(1)
        #expect(lifetime.check(at: now) == .announce)
    }

    @Test("a client that has said all it says is answered and let go") mutating func inputEnded() {
        lifetime.streamOpened(1, at: now)
        #expect(lifetime.inputEnded() == nil)
        #expect(lifetime.streamClosed(at: now) == .close)
        #expect(lifetime.inputEnded() == nil)
        var other = ConnectionLifetime(at: now)
        #expect(other.inputEnded() == .close)
    }

    @Test("a client that reads nothing at all is let go without a word") mutating func blocked() {
        lifetime.streamOpened(1, at: now)
        lifetime.writabilityChanged(to: false, at: now)
        now = now + .seconds(Limits.streamChunkSecondsMax - 1)
        #expect(lifetime.check(at: now) == nil)
        lifetime.writabilityChanged(to: true, at: now)
        lifetime.writabilityChanged(to: false, at: now)
        now = now + .seconds(1)
        #expect(lifetime.check(at: now) == nil && !lifetime.isStalled(at: now))
        now = now + .seconds(Limits.stalledSeconds)
        #expect(lifetime.isStalled(at: now))
        now = now + .seconds(Limits.streamChunkSecondsMax)
        #expect(lifetime.check(at: now) == .abort)
        #expect(lifetime.check(at: now) == nil)
    }
}
