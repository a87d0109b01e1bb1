import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1
import TestDice
import Testing

@testable import HTTPServer

/// Random histories of a connection that a channel and a client could produce, and the rules that hold in all of them.
@Suite struct ConnectionHistoryTests {
    /// Each seed is one history.
    private static let seeds = Dice.seeds(1...400)
    private static let stepsCount = 150

    @Test("no history breaks a rule of the connection") func histories() {
        var openCount = 0
        for seed in Self.seeds {
            var history = ConnectionHistory(seed: seed)
            do throws(ConnectionHistory.Violation) {
                for _ in 0..<Self.stepsCount { try history.step() }
                try history.settle()
                if history.isOpen { openCount += 1 }
            } catch {
                Issue.record(
                    """
                    SEED=\(seed): \(error.rule)
                    after \(history.events.joined(separator: "; "))
                    """)
            }
        }
        // If all histories ended early, or none did, the test would show little.
        if Self.seeds.count > 1 { #expect((100...300).contains(openCount)) }
    }
}

/// One random history: what a client sends, and what its channel and its task report.
private struct ConnectionHistory {
    typealias Violation = ConnectionRules.Violation

    /// The channel's state of reading.
    private enum Reading {
        /// The machine did not allow the next read.
        case held
        case allowed
        case delivering(partsLeft: Int)
        /// The client sends no more.
        case ended
    }

    /// What the client sends next.
    private enum Sending {
        case head
        case body(partsLeft: Int)
    }

    private static let partsOfReadMax = 12
    private static let largeBytes = ByteBuffer(repeating: 0x78, count: Limits.bodyBytesMax / 2)

    private(set) var events: [String] = []
    private var dice: Dice
    private var driver = ConnectionDriver()
    private var rules = ConnectionRules()
    private var reading = Reading.allowed
    private var sending = Sending.head
    private var requestsBegun = 0
    private var requestsEnded = 0
    private var isInactive = false
    /// A parser that failed delivers nothing more.
    private var hasFailed = false
    /// Half of the histories run to their end; the others may be ended early by the server, the client or an error.
    private let isDisturbed: Bool

    var isOpen: Bool { !rules.isClosed }

    init(seed: UInt64) {
        dice = Dice(seed: seed)
        isDisturbed = Bool.random(using: &dice)
    }

    mutating func step() throws(Violation) {
        if isInactive { return }
        switch Int.random(in: 0..<1_000, using: &dice) {
        case 0..<650: try readOn()
        case 650..<840: if rules.isTaskRunning { try report(.responded, "responded") }
        case 840..<850: try stream()
        case 850..<970: try toggleWritability()
        case 970..<980: if isDisturbed { try disturb() }
        case 980..<990: if rules.hasDeadline, isDisturbed { try report(.deadlinePassed, "deadline passed") }
        default:
            let seconds: Int64 = isDisturbed ? 80 : 1
            try report(.idleTimeElapsed(afterSeconds: seconds), "idle for \(seconds) s")
        }
    }

    /// Settles the connection: the client reads, the read is completed, and the running task responds.
    mutating func settle() throws(Violation) {
        if isInactive { return }
        if !rules.isWritable { try toggleWritability() }
        while true {
            if rules.isTaskRunning {
                try report(.responded, "responded")
            } else if case .delivering = reading {
                try readOn()
            } else {
                break
            }
        }
        if rules.isStreaming { try report(.eventsEnded, "events ended") }
        if rules.isClosed { return }
        try rules.checkAllAnswered(requestsEnded)
        switch reading {
        case .held: throw Violation(rule: "a read is held though nothing hinders it")
        case .ended: throw Violation(rule: "the connection is open though the client's input has ended")
        case .allowed, .delivering: break
        }
    }

    /// Advances the reading: parts come, then the read is complete, then the channel asks for the next one.
    private mutating func readOn() throws(Violation) {
        switch reading {
        case .held, .ended: break
        case .allowed:
            if isDisturbed, Int.random(in: 0..<60, using: &dice) == 0 {
                reading = .ended
                try report(.inputEnded, "input ended")
            } else {
                let partsLeft = hasFailed ? 0 : Int.random(in: 0...Self.partsOfReadMax, using: &dice)
                reading = .delivering(partsLeft: partsLeft)
            }
        case .delivering(0):
            reading = .held
            try report(.readCompleted, "read completed")
            try report(.requestedRead, "requested read")
        case .delivering(let partsLeft):
            reading = .delivering(partsLeft: partsLeft - 1)
            let (part, text) = nextPart()
            try report(.received(part), text)
        }
    }

    private mutating func nextPart() -> (HTTPServerRequestPart, String) {
        switch sending {
        case .head:
            requestsBegun += 1
            sending = .body(partsLeft: Int.random(in: 0...4, using: &dice))
            var head = HTTPRequestHead(version: .http1_1, method: .PUT, uri: "/\(requestsBegun)")
            head.headers.add(name: "host", value: "x")
            switch Int.random(in: 0..<60, using: &dice) {
            case 0: if isDisturbed { head.headers.add(name: "connection", value: "close") }
            case 1..<6: head.headers.add(name: "content-length", value: "\(Limits.bodyBytesMax + 1)")
            case 6..<10: head.headers.add(name: "expect", value: "100-continue")
            case 10..<14: head.headers.add(contentsOf: [("connection", "upgrade"), ("upgrade", "h2c")])
            default: break
            }
            return (.head(head), "head \(head.uri) \(head.headers)")
        case .body(0):
            requestsEnded += 1
            sending = .head
            return (.end(nil), "end")
        case .body(let partsLeft):
            sending = .body(partsLeft: partsLeft - 1)
            let bytes = Int.random(in: 0..<40, using: &dice) == 0 ? Self.largeBytes : ByteBuffer(string: "abc")
            return (.body(bytes), "body \(bytes.readableBytes)")
        }
    }

    /// A request is answered with an event stream, or a stream goes on.
    private mutating func stream() throws(Violation) {
        if rules.isTaskRunning, isDisturbed {
            try report(.respondedWithEvents, "responded with events")
        } else if rules.isStreaming {
            switch Int.random(in: 0..<20, using: &dice) {
            case 0: try report(.eventsEnded, "events ended")
            case 1..<12: try report(.published(bytes: Int.random(in: 1...50_000, using: &dice)), "published")
            default: if rules.unsentBytes > 0 { try report(.eventSent(bytes: rules.unsentBytes), "event sent") }
            }
        }
    }

    private mutating func toggleWritability() throws(Violation) {
        rules.isWritable.toggle()
        try report(rules.isWritable ? .writable : .unwritable, rules.isWritable ? "writable" : "unwritable")
    }

    private mutating func disturb() throws(Violation) {
        switch Int.random(in: 0..<5, using: &dice) {
        case 0: try report(.quiesce, "quiesce")
        case 1: try report(.stop, "stop")
        case 2:
            guard case .delivering = reading else { return }
            reading = .delivering(partsLeft: 0)
            hasFailed = true
            if Bool.random(using: &dice) {
                try report(.failToParse, "fail to parse")
            } else {
                try report(.failToHold, "fail to hold")
            }
        case 3: try report(.fail, "fail")
        default:
            isInactive = true
            try report(.becameInactive, "became inactive")
        }
    }

    private mutating func report(_ event: ConnectionDriver.Event, _ text: String) throws(Violation) {
        events.append(text)
        if case .deadlinePassed = event { rules.deadlinePassed() }
        let actions = driver.perform(event)
        // A response to a closed connection leads to nothing, and its task is over as well.
        if case .responded = event, actions.isEmpty { rules.isTaskRunning = false }
        if case .respondedWithEvents = event, actions.isEmpty { rules.isTaskRunning = false }
        if case .eventSent = event { rules.unsentBytes = 0 }
        for action in actions {
            try rules.check(action, after: event)
            if case .read = action, case .held = reading { reading = .allowed }
        }
        if case .becameInactive = event { rules.isClosed = true }
        let partsCount = driver.machine.partsCount
        guard partsCount <= Self.partsOfReadMax + 1 else { throw Violation(rule: "\(partsCount) parts wait") }
        if case .delivering = reading { return }
        guard rules.isFlushed else { throw Violation(rule: "a response is not flushed") }
    }
}

/// The rules that hold for a connection's actions in every history.
private struct ConnectionRules {
    struct Violation: Error { let rule: String }

    var isWritable = true
    var isClosed = false
    var isTaskRunning = false
    private(set) var isStreaming = false
    /// Bytes of events that were written and not sent.
    var unsentBytes = 0
    private(set) var isFlushed = true
    private(set) var hasDeadline = false
    /// Request n has the target `/n`, and requests are taken in order.
    private var requestsTaken = 0
    private var responsesSent = 0

    mutating func check(_ action: ConnectionStateMachine.Action, after event: ConnectionDriver.Event) throws(Violation)
    {
        if isClosed { return try checkClosed(action, after: event) }
        switch action {
        case .answer(let request):
            try take(request)
            try require(!hasDeadline, "a request is answered and its body still has a deadline")
            isTaskRunning = true
        case .refuse(let request, _, let framing):
            try take(request)
            responsesSent += 1
            written(framing)
        case .send(_, let framing):
            try require(isTaskRunning, "a response is sent to nobody")
            responsesSent += 1
            isTaskRunning = false
            written(framing)
        case .beginEvents(_, let framing):
            try require(isTaskRunning, "a stream begins for nobody")
            try require(framing.persistence == .close, "a connection goes on after a stream")
            responsesSent += 1
            (isTaskRunning, isStreaming, isFlushed) = (false, true, true)
        case .sendEvent(let bytes):
            try require(isStreaming, "an event is sent without a stream")
            try require(
                unsentBytes == 0 || unsentBytes + bytes.readableBytes <= Limits.liveBacklogBytesMax,
                "a client is too far behind")
            unsentBytes += bytes.readableBytes
        case .endEvents:
            try require(isStreaming, "no stream is there to be ended")
            end()
        case .refuseUnread(_, let framing):
            try require(framing.persistence == .close, "a connection goes on after what is no request")
            try require(!isTaskRunning, "what is no request is refused before the request before it is answered")
            written(framing)
        case .sendContinue:
            try require(!isTaskRunning, "a body is asked for while another request is answered")
            isFlushed = true
        case .flush:
            try require(!isFlushed && !isStreaming, "nothing is flushed")
            isFlushed = true
        case .rest: try require(!isTaskRunning && !isStreaming, "others have turns while a response is awaited")
        case .read:
            try require(isWritable && !isTaskRunning, "more is read than can be taken")
            try require(!isStreaming, "more is read while events are sent")
        case .setDeadline:
            try require(!hasDeadline && !isTaskRunning, "a deadline is set twice, or for a request that came whole")
            hasDeadline = true
        case .clearDeadline:
            try require(hasDeadline, "a deadline is cleared that was not set")
            hasDeadline = false
        case .cancelTask: try require(isTaskRunning, "no task is there to be cancelled")
        case .close, .abort: end()
        case .steerParser(.startAnew):
            guard case .received(.end) = event else { throw Violation(rule: "the parser starts anew within a request") }
        case .steerParser(.dropInput): throw Violation(rule: "input is dropped though no offer is unclear")
        case .checkIdle, .release: break
        }
    }

    /// The timer of the deadline has run out, whatever follows from it.
    mutating func deadlinePassed() { hasDeadline = false }

    /// - Parameter count: The number of requests that came whole.
    func checkAllAnswered(_ count: Int) throws(Violation) {
        try require(responsesSent == requestsTaken, "\(requestsTaken) requests and \(responsesSent) responses")
        try require(responsesSent >= count, "\(count) requests came whole and \(responsesSent) were answered")
    }

    private func checkClosed(_ action: ConnectionStateMachine.Action, after event: ConnectionDriver.Event)
        throws(Violation)
    {
        switch (action, event) {
        case (.read, .requestedRead), (.abort, .idleTimeElapsed), (.checkIdle, .idleTimeElapsed): break
        case (.release, .becameInactive): break
        default: throw Violation(rule: "\(action.text) after the end")
        }
    }

    private mutating func take(_ request: Request) throws(Violation) {
        requestsTaken += 1
        try require(request.target == "/\(requestsTaken)", "\(request.target) is taken as number \(requestsTaken)")
        try require(!isTaskRunning, "\(request.target) is taken while another request is answered")
        try require(request.body.readableBytes <= Limits.bodyBytesMax, "\(request.target) has too large a body")
    }

    private mutating func written(_ framing: ConnectionStateMachine.Framing) {
        isFlushed = false
        if framing.persistence == .close { end() }
    }

    private mutating func end() {
        isClosed = true
        isStreaming = false
        isFlushed = true
    }

    private func require(_ condition: Bool, _ rule: String) throws(Violation) {
        guard condition else { throw Violation(rule: rule) }
    }
}
