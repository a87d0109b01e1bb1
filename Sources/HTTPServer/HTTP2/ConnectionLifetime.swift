import Domain
import NIOCore
import NIOHTTP2

/// Decides when an HTTP/2 connection ends. It first announces that it goes away, so that the client opens no more
/// streams; then it names the last stream that is answered (RFC 9113, section 6.8); and it closes when no stream is
/// open any more.
struct ConnectionLifetime {
    enum Action: Equatable {
        /// Send GOAWAY without a last stream, and a PING that the client acknowledges.
        case announce
        /// Send GOAWAY with the last stream.
        case goAway(last: HTTP2StreamID)
        /// Close once everything written has been sent.
        case close
        /// Close without waiting for unsent bytes.
        case abort
    }

    private enum Phase {
        case open
        case announced(at: NIODeadline)
        case leaving
        case closed
    }

    private var phase = Phase.open
    private var streamsCount = 0
    private var lastStream = HTTP2StreamID.rootStream
    private var lastActivity: NIODeadline
    /// Since when the client reads nothing; nil while it reads.
    private var blockedSince: NIODeadline?

    init(at now: NIODeadline) { lastActivity = now }

    /// - Returns: Whether it may be answered, because the last stream has not been announced.
    @discardableResult mutating func streamOpened(_ stream: HTTP2StreamID, at now: NIODeadline) -> Bool {
        streamsCount += 1
        lastActivity = now
        switch phase {
        case .open, .announced:
            lastStream = max(lastStream, stream)
            return true
        case .leaving, .closed: return false
        }
    }

    mutating func streamClosed(at now: NIODeadline) -> Action? {
        streamsCount -= 1
        lastActivity = now
        return closeIfDone()
    }

    mutating func writabilityChanged(to isWritable: Bool, at now: NIODeadline) { blockedSince = isWritable ? nil : now }

    /// The server shuts down gracefully.
    mutating func quiesce(at now: NIODeadline) -> Action? {
        guard case .open = phase else { return nil }
        phase = .announced(at: now)
        return .announce
    }

    mutating func announcementAcknowledged() -> Action? { if case .announced = phase { leave() } else { nil } }

    /// The connection answers what was asked, and nothing else.
    mutating func leave() -> Action? {
        switch phase {
        case .open, .announced:
            phase = .leaving
            return .goAway(last: lastStream)
        case .leaving, .closed: return nil
        }
    }

    /// No request can come any more: the client has half-closed the connection, or the server stops at once.
    mutating func inputEnded() -> Action? {
        if case .closed = phase { return nil }
        phase = .leaving
        return closeIfDone()
    }

    /// Whether the client has read nothing for ``Limits/stalledSeconds``.
    func isStalled(at now: NIODeadline) -> Bool {
        blockedSince.map { now - $0 >= .seconds(Limits.stalledSeconds) } ?? false
    }

    mutating func check(at now: NIODeadline) -> Action? {
        if case .closed = phase { return nil }
        if let blockedSince, now - blockedSince >= .seconds(Limits.streamChunkSecondsMax) { return end(.abort) }
        switch phase {
        case .open:
            // A connection on which nothing was asked yet has only the time that a first head may take.
            let limit = lastStream == .rootStream ? Limits.headSecondsMax : Limits.idleSeconds
            let isIdle = streamsCount == 0 && now - lastActivity >= .seconds(limit)
            return isIdle ? quiesce(at: now) : nil
        case .announced(let since):
            return now - since >= .seconds(Limits.goAwaySeconds) ? announcementAcknowledged() : nil
        case .leaving: return closeIfDone()
        case .closed: return nil
        }
    }

    private mutating func closeIfDone() -> Action? {
        if case .leaving = phase, streamsCount == 0 { end(.close) } else { nil }
    }

    private mutating func end(_ action: Action) -> Action {
        phase = .closed
        return action
    }
}
