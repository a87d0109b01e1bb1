import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1

/// Decides what a client's connection does: it reads one request whole, answers it and writes the response before it
/// looks at the next one. The machine performs no input or output, never waits and reads no clock.
///
/// An event may return an action to carry out at once. After each event the caller asks `next()` until it returns nil:
/// it names, one by one, the actions that have become possible.
struct ConnectionStateMachine {
    static let idleTime = TimeAmount.seconds(Limits.idleSeconds)

    private let peer: Peer
    private(set) var exchange = Exchange.idle
    private var input = Input.open
    private var readCycle = ReadCycle.over
    /// Parts that have not been taken yet. They are at most those of one read, as further reads are held.
    private var parts = CircularBuffer<HTTPServerRequestPart>()
    /// False while the client does not read its responses.
    private var isWritable = true
    /// True when responses are written and not flushed. Those to the requests of one read are flushed together.
    private var isFlushDue = false
    private var lastActivity: NIODeadline

    var isAnswering: Bool { if case .answering = exchange { true } else { false } }
    var partsCount: Int { parts.count }

    init(peer: Peer = .unknown, at now: NIODeadline) {
        self.peer = peer
        lastActivity = now
    }
}

// MARK: - Events of the channel

extension ConnectionStateMachine {
    mutating func received(_ part: HTTPServerRequestPart, at now: NIODeadline) {
        // Input after the last response is dropped.
        if case .closed = exchange { return }
        readCycle = .delivering
        lastActivity = now
        parts.append(part)
    }

    mutating func readCompleted() {
        readCycle = .completing
    }

    /// Holds the read while a request is answered or the client does not read; `next()` asks for it later.
    /// - Returns: Whether to read at once.
    mutating func requestedRead() -> Bool {
        if isWritable, !isAnswering { return true }
        if input == .open { input = .held }
        return false
    }

    mutating func writabilityChanged(to isWritable: Bool, at now: NIODeadline) {
        lastActivity = now
        self.isWritable = isWritable
    }

    /// The client has half-closed the connection: it sends no more, and may still read.
    mutating func inputEnded() {
        input = .ended
    }

    /// The server shuts down gracefully: this connection answers the request that it has begun, and takes no other.
    mutating func quiesce() -> Action? {
        if case .idle = exchange { return close() }
        makeLast()
        return nil
    }

    /// The server stops at once: the running task is cancelled, and its response is the last one.
    mutating func stop() -> Action? {
        guard isAnswering else { return fail() }
        makeLast()
        return .cancelTask
    }

    /// The parser has met bytes that are no HTTP. They get the response unless they belong to a request.
    mutating func failToParse(_ response: @autoclosure () -> Response = Response(status: .badRequest)) -> Action? {
        switch exchange {
        case .idle:
            end()
            return .send(response(), Framing(includesBody: true, persistence: .close))
        case .reading(let incoming): return refuse(incoming, .brokenBody, then: .close)
        // The request before those bytes is still answered.
        case .answering:
            makeLast()
            return nil
        case .skipping, .closed: return fail()
        }
    }

    /// The channel has failed and is to be closed.
    mutating func fail() -> Action? {
        if case .closed = exchange { nil } else { close() }
    }

    /// The channel is closed.
    mutating func becameInactive() -> Action {
        end()
        return .clearTimers
    }
}

// MARK: - Events of the task and the timers

extension ConnectionStateMachine {
    /// - Returns: Nil when the connection has been closed meanwhile.
    mutating func responded(with response: consuming Response, at now: NIODeadline) -> Action? {
        guard case .answering(let framing) = exchange else { return nil }
        lastActivity = now
        wrote(framing.persistence, then: .idle)
        return .send(response, framing)
    }

    mutating func bodyDeadlinePassed() -> Action? {
        switch exchange {
        case .reading(let incoming): refuse(incoming, .tooSlow, then: .close)
        case .skipping: close()
        case .idle, .answering, .closed: nil
        }
    }

    /// A response may take longer than a client may be silent. A closed connection is aborted as well, because its
    /// client does not read what is left to send.
    mutating func idleTimeElapsed(at now: NIODeadline) -> Action {
        if isAnswering { return .checkIdle(in: Self.idleTime) }
        let quiet = now - lastActivity
        if quiet < Self.idleTime { return .checkIdle(in: Self.idleTime - quiet) }
        end()
        return .abort
    }
}

// MARK: - What follows

extension ConnectionStateMachine {
    /// The next action that has become possible, first things first; nil when only another event changes anything.
    mutating func next() -> Action? {
        while canTakeParts, let part = parts.first {
            if let action = take(part) { return action }
        }
        if isFlushDue, readCycle != .delivering {
            isFlushDue = false
            return .flush
        }
        if canTakeParts {
            switch input {
            case .ended: return close()
            case .held:
                input = .open
                return .read
            case .open: break
            }
        }
        if readCycle == .completing {
            readCycle = .over
            if deadline == .unset {
                mark(.set)
                return .setBodyDeadline
            }
        }
        return nil
    }

    private var canTakeParts: Bool {
        switch exchange {
        case .idle, .reading, .skipping: isWritable
        case .answering, .closed: false
        }
    }

    /// Takes a part. One that does not fit the exchange is the rest of an answered request; the parser sends no other.
    private mutating func take(_ part: HTTPServerRequestPart) -> Action? {
        switch part {
        case .head(let head):
            parts.removeFirst()
            return begin(head)
        case .body(let bytes):
            parts.removeFirst()
            return append(bytes)
        case .end:
            // This call can return one action only, so the part stays for the next call.
            if deadline == .set {
                mark(.unset)
                return .clearBodyDeadline
            }
            parts.removeFirst()
            return complete()
        }
    }

    private mutating func begin(_ head: HTTPRequestHead) -> Action? {
        guard case .idle = exchange else { return nil }
        let incoming = Incoming(head: head, persistence: head.isKeepAlive ? .keepAlive : .close)
        if let length = head.headers.first(name: "content-length").flatMap(Int.init), length > Limits.bodyBytesMax {
            return refuse(incoming, .tooLarge, then: incoming.persistence)
        }
        exchange = .reading(incoming)
        guard head.version == .http1_1, head.headers.first(name: "expect")?.lowercased() == "100-continue" else {
            return nil
        }
        isFlushDue = false
        return .sendContinue
    }

    private mutating func append(_ bytes: ByteBuffer) -> Action? {
        guard case .reading(var incoming) = exchange else { return nil }
        guard incoming.body.readableBytes + bytes.readableBytes <= Limits.bodyBytesMax else {
            return refuse(incoming, .tooLarge, then: incoming.persistence)
        }
        // A buffer that two variables share is copied when it grows.
        exchange = .idle
        if incoming.body.readableBytes == 0 { incoming.body = bytes } else { incoming.body.writeImmutableBuffer(bytes) }
        exchange = .reading(incoming)
        return nil
    }

    private mutating func complete() -> Action? {
        switch exchange {
        case .reading(let incoming):
            exchange = .answering(
                Framing(includesBody: incoming.head.method != .HEAD, persistence: incoming.persistence)
            )
            return .answer(incoming.request(from: peer))
        case .skipping(let remainder):
            if remainder.persistence == .close { return close() }
            exchange = .idle
            return nil
        case .idle, .answering, .closed: return nil
        }
    }

    private mutating func refuse(_ incoming: Incoming, _ problem: Problem, then persistence: Persistence) -> Action {
        wrote(persistence, then: .skipping(Remainder(persistence: persistence, deadline: incoming.deadline)))
        let framing = Framing(includesBody: incoming.head.method != .HEAD, persistence: persistence)
        return .refuse(incoming.request(from: peer), problem, framing)
    }

    /// The deadline of the request that is read or skipped; nil while none is.
    private var deadline: BodyDeadline? {
        switch exchange {
        case .reading(let incoming): incoming.deadline
        case .skipping(let remainder): remainder.deadline
        case .idle, .answering, .closed: nil
        }
    }

    private mutating func mark(_ deadline: BodyDeadline) {
        switch exchange {
        case .reading(var incoming):
            incoming.deadline = deadline
            exchange = .reading(incoming)
        case .skipping(var remainder):
            remainder.deadline = deadline
            exchange = .skipping(remainder)
        case .idle, .answering, .closed: break
        }
    }

    /// Makes the current request the connection's last one.
    private mutating func makeLast() {
        switch exchange {
        case .reading(var incoming):
            incoming.persistence = .close
            exchange = .reading(incoming)
        case .answering(var framing):
            framing.persistence = .close
            exchange = .answering(framing)
        case .skipping(var remainder):
            remainder.persistence = .close
            exchange = .skipping(remainder)
        case .idle, .closed: break
        }
    }

    /// Goes on as `next` after a response that keeps the connection open, and closes the exchange otherwise.
    private mutating func wrote(_ persistence: Persistence, then next: Exchange) {
        switch persistence {
        case .keepAlive:
            exchange = next
            isFlushDue = true
        case .close: end()
        }
    }

    private mutating func close() -> Action {
        end()
        return .close
    }

    private mutating func end() {
        exchange = .closed
        if !parts.isEmpty { parts.removeAll() }
        isFlushDue = false
    }
}
