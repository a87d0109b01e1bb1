import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1

@testable import HTTPServer

/// Drives a connection's state machine as its handler does, and describes its actions in words.
struct ConnectionDriver {
    enum Event {
        case received(HTTPServerRequestPart)
        case readCompleted
        case blankRead
        case requestedRead
        case writable
        case unwritable
        case stalled
        case inputEnded
        case quiesce
        case stop
        case failToParse
        case failToHold
        case fail
        case responded
        /// The response is an event stream.
        case respondedWithEvents
        /// The response is a document that is sent while it is made, and is whole at its end alone.
        case respondedWithDocument
        case streamFailed
        case published(bytes: Int)
        case eventSent(bytes: Int)
        case eventsEnded
        case deadlinePassed
        /// The check comes this long after the event before it.
        case idleTimeElapsed(afterSeconds: Int64)
        case becameInactive
    }

    private(set) var machine: ConnectionStateMachine
    private var now = NIODeadline.uptimeNanoseconds(1_000_000_000)

    init(budget: MemoryBudget? = nil, clients: ForwardedClients? = nil) {
        machine = ConnectionStateMachine(budget: budget, clients: clients, at: now)
    }

    init(after events: [Event]) {
        self.init()
        for event in events { _ = perform(event) }
    }

    mutating func wait(seconds: Int64) { now = now + .seconds(seconds) }

    /// - Returns: All actions that follow from the event, in their order.
    mutating func perform(_ event: Event) -> [ConnectionStateMachine.Action] {
        var actions: [ConnectionStateMachine.Action] = []
        if let action = report(event) { actions.append(action) }
        while let action = machine.next() {
            actions.append(action)
            // The others have their turns at once here.
            if case .rest = action { machine.turnBegan() }
        }
        machine.turnEnded()
        return actions
    }

    private mutating func report(_ event: Event) -> ConnectionStateMachine.Action? {
        switch event {
        case .received(let part): return machine.received(part, at: now)
        case .readCompleted: return machine.readCompleted()
        case .blankRead: return machine.readCompleted(isBlank: true)
        case .requestedRead: return machine.requestedRead() ? .read : nil
        case .writable: machine.writabilityChanged(to: true, at: now)
        case .unwritable: machine.writabilityChanged(to: false, at: now)
        case .stalled: machine.stalled()
        case .inputEnded: machine.inputEnded()
        case .quiesce: return machine.quiesce()
        case .stop: return machine.stop()
        case .failToParse: machine.failToParse()
        case .failToHold: machine.failToHold()
        case .fail: return machine.fail()
        case .responded: return machine.responded(with: Response(status: .ok), at: now)
        case .respondedWithEvents:
            var response = Response(status: .ok)
            response.events = TestStream.ofEvents
            return machine.responded(with: response, at: now)
        case .respondedWithDocument:
            var response = Response(status: .ok)
            response.events = TestStream.ofDocument
            return machine.responded(with: response, at: now)
        case .streamFailed: return machine.streamFailed()
        case .published(let count):
            return machine.published(EventBytes(ByteBuffer(repeating: 0x78, count: count)), at: now)
        case .eventSent(let count): machine.eventSent(bytes: count, at: now)
        case .eventsEnded: return machine.eventsEnded()
        case .deadlinePassed: return machine.deadlinePassed()
        case .idleTimeElapsed(let seconds):
            wait(seconds: seconds)
            return machine.idleTimeElapsed(at: now)
        case .becameInactive: return machine.becameInactive()
        }
        return nil
    }

    /// The actions that follow from the event, and the state after them, such as `send 200, flush > idle`.
    mutating func apply(_ event: Event) -> String {
        let actions = perform(event).map(\.text).joined(separator: ", ")
        return actions.isEmpty ? "> \(state)" : "\(actions) > \(state)"
    }

    var state: String {
        let parts = machine.partsCount
        return machine.exchange.text + (parts == 0 ? "" : ", \(parts) waiting")
    }
}

extension ConnectionDriver.Event {
    /// - Parameters:
    ///   - line: The method, the target and, for HTTP/1.0, the version.
    ///   - headers: Without `Host`.
    ///   - hosts: The values of the `Host` headers.
    static func head(_ line: String, _ headers: HTTPHeaders = [:], hosts: [String] = ["x"]) -> Self {
        let words = line.split(separator: " ").map(String.init)
        var headers = headers
        for host in hosts { headers.add(name: "Host", value: host) }
        return .received(
            .head(
                HTTPRequestHead(
                    version: words.last == "HTTP/1.0" ? .http1_0 : .http1_1, method: HTTPMethod(rawValue: words[0]),
                    uri: words[1], headers: headers)))
    }

    static func body(_ text: String) -> Self { .received(.body(ByteBuffer(string: text))) }
    static func body(bytes count: Int) -> Self { .received(.body(ByteBuffer(repeating: 0x78, count: count))) }
    static var end: Self { .received(.end(nil)) }
}

// Events that bring a new connection into each of its states.
extension ConnectionDriver {
    static let new: [Event] = []
    static let idle: [Event] = [.head("GET /0"), .end, .readCompleted, .responded]
    static let beginning: [Event] = idle + [.readCompleted]
    static let reading: [Event] = [.head("PUT /a"), .readCompleted]
    static let answering: [Event] = [.head("PUT /a"), .end, .readCompleted]
    static let document: [Event] = [.head("GET /a"), .end, .readCompleted, .respondedWithDocument]
    static let streaming: [Event] = [.head("GET /a"), .end, .readCompleted, .respondedWithEvents]
    static let skipping: [Event] = [.head("PUT /a", tooLarge), .readCompleted]
    static let closed: [Event] = idle + [.fail]

    /// The headers of a request whose body is larger than the bound.
    static let tooLarge: HTTPHeaders = ["content-length": "\(Limits.bodyBytesMax + 1)"]
}

extension ConnectionStateMachine.Action {
    var text: String {
        switch self {
        case .sendContinue: "send 100"
        case .answer(let request): "answer \(request.text)"
        case .send(let response, let framing): "send \(response.status.code)\(framing.text)"
        case .refuse(let request, let refusal, let framing): "refuse \(request.text) as \(refusal.text)\(framing.text)"
        case .refuseUnread(let refusal, let framing): "refuse as \(refusal.text)\(framing.text)"
        case .beginEvents(let response, let framing): "begin events \(response.status.code)\(framing.text)"
        case .sendEvent(let bytes): "send event of \(bytes.readableBytes)"
        case .endEvents(let isChunked): isChunked ? "end events" : "end events without chunk"
        case .flush: "flush"
        case .rest: "rest"
        case .read: "read"
        case .close: "close"
        case .abort: "abort"
        case .cancelTask: "cancel task"
        case .setDeadline(let time): time == .seconds(Limits.bodySecondsMax) ? "set deadline" : "set head deadline"
        case .clearDeadline: "clear deadline"
        case .checkIdle(let time): "check idle in \(time.nanoseconds / 1_000_000_000) s"
        case .steerParser(.startAnew): "start parser anew"
        case .steerParser(.dropInput): "drop input"
        case .release: "release"
        }
    }
}

extension Request {
    fileprivate var text: String {
        "\(method.rawValue) \(target)" + (body.readableBytes == 0 ? "" : " with \(body.readableBytes) bytes")
    }
}

extension ConnectionStateMachine.Framing {
    fileprivate var text: String {
        (includesBody ? "" : " without body") + (connection == .keepAlive ? " keep-alive" : persistence.text)
    }
}

extension ConnectionStateMachine.Persistence { fileprivate var text: String { self == .close ? " last" : "" } }

extension ConnectionStateMachine.BodyDeadline { fileprivate var text: String { self == .set ? " due" : "" } }

extension ConnectionStateMachine.Exchange {
    /// The exchange in words: `due` when the body's deadline is set, `last` when the connection ends after the request.
    fileprivate var text: String {
        switch self {
        case .idle: "idle"
        case .beginning: "beginning"
        case .reading(let incoming):
            "reading \(incoming.body.readableBytes)\(incoming.deadline.text)\(incoming.persistence.text)"
        case .answering(let framing): "answering\(framing.text)"
        case .streaming(let streaming):
            "streaming" + (streaming.backlog.bytes == 0 ? "" : " behind \(streaming.backlog.bytes)")
        case .skipping(let remainder): "skipping\(remainder.deadline.text)\(remainder.persistence.text)"
        case .closed: "closed"
        }
    }
}

extension Refusal {
    /// The name of the problem that clients are told.
    var text: String {
        switch self {
        case .noHTTP, .badHost, .codingOfOldVersion, .brokenBody, .smallPieces: "malformed"
        case .headTooSlow, .tooSlow: "too-slow"
        case .noTunnels: "method-not-allowed"
        case .unknownCoding: "not-implemented"
        case .tooLarge: "too-large"
        case .tooManyConnections: "rate-limited"
        case .busy: "overloaded"
        }
    }
}
