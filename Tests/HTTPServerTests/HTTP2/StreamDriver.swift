import Domain
import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2

@testable import HTTPServer

/// Drives a stream's state machine as its handler does, and describes its actions in words.
struct StreamDriver {
    enum Event {
        case head(String, HPACKHeaders, isLast: Bool)
        case body(bytes: Int, isLast: Bool, hasRoom: Bool)
        case began
        case responded(bytes: Int)
        case respondedWithEvents
        /// The response is a document that is sent while it is made, and is whole at its end alone.
        case respondedWithDocument
        case streamFailed
        case published(bytes: Int)
        case endEvents
        case quiesce
        case chunkSent
        case wait(seconds: Int64)
        case stop
        case closed
    }

    private(set) var machine = StreamStateMachine()
    private var now = NIODeadline.uptimeNanoseconds(1_000_000_000)

    init(after events: [Event] = []) { for event in events { _ = perform(event) } }

    /// - Returns: All actions that follow from the event, in their order.
    mutating func perform(_ event: Event) -> [StreamStateMachine.Action] {
        switch event {
        case .head(let method, let more, let isLast):
            var head: HPACKHeaders = [":method": method, ":path": "/a", ":scheme": "https", ":authority": "x"]
            head.add(contentsOf: more.map { ($0.name, $0.value) })
            machine.received(head, isLast: isLast, at: now)
        case .body(let count, let isLast, let hasRoom):
            let bytes = ByteBuffer(repeating: 0x78, count: count)
            machine.received(bytes, isLast: isLast, refusal: hasRoom ? nil : .busy)
        case .began: machine.began()
        case .responded(let count):
            machine.responded(with: Response(status: .ok, body: ByteBuffer(repeating: 0x79, count: count)), at: now)
        case .respondedWithEvents:
            var response = Response(status: .ok)
            response.events = TestStream.ofEvents
            machine.responded(with: response, at: now)
        case .respondedWithDocument:
            var response = Response(status: .ok)
            response.events = TestStream.ofDocument
            machine.responded(with: response, at: now)
        case .streamFailed: machine.streamFailed()
        case .published(let count):
            _ = machine.published(EventBytes(ByteBuffer(repeating: 0x7A, count: count)), at: now)
        case .endEvents: machine.endEvents()
        case .quiesce: machine.quiesce()
        case .chunkSent: machine.chunkSent(at: now)
        case .wait(let seconds):
            now = now + .seconds(seconds)
            machine.checkDeadline(at: now)
        case .stop: machine.stop()
        case .closed: machine.closed()
        }
        var actions: [StreamStateMachine.Action] = []
        while let action = machine.next() { actions.append(action) }
        return actions
    }

    /// The actions that follow from the event, and the state after them, such as `head 200 last > closed`.
    mutating func apply(_ event: Event) -> String {
        let actions = perform(event).map(\.text).joined(separator: ", ")
        return actions.isEmpty ? "> \(machine.state.text)" : "\(actions) > \(machine.state.text)"
    }
}

extension StreamDriver.Event {
    static func head(_ method: String, isLast: Bool = false) -> Self { .head(method, [:], isLast: isLast) }
    static func body(bytes count: Int, isLast: Bool = false) -> Self {
        .body(bytes: count, isLast: isLast, hasRoom: true)
    }
}

extension StreamStateMachine.Action {
    var text: String {
        switch self {
        case .sendContinue: "send 100"
        case .enqueue(let request):
            "enqueue \(request.method.rawValue) \(request.target)"
                + (request.body.readableBytes == 0 ? "" : " with \(request.body.readableBytes) bytes")
        case .refuse(let request, let refusal): "refuse \(request.method.rawValue) as \(refusal.text)"
        case .sendHead(let response, let isLast): "head \(response.status.code)\(isLast ? " last" : "")"
        case .beginEvents(let response): "begin events \(response.status.code)"
        case .sendChunk(let bytes, let isLast, let isReported):
            "chunk of \(bytes.readableBytes)\(isLast ? " last" : "")\(isReported ? " reported" : "")"
        case .reset(let code): "reset \(code.networkCode)"
        }
    }
}

extension StreamStateMachine.State {
    fileprivate var text: String {
        switch self {
        case .idle: "idle"
        case .reading(let incoming): "reading \(incoming.body.readableBytes)"
        case .whole: "whole"
        case .refused: "refused"
        case .waiting: "waiting"
        case .answering: "answering"
        case .sending(let outgoing): "sending \(outgoing.rest.readableBytes)"
        case .streaming(let streaming):
            "streaming" + (streaming.backlog.bytes == 0 ? "" : " behind \(streaming.backlog.bytes)")
        case .sent: "sent"
        case .failed: "failed"
        case .closed: "closed"
        }
    }
}
