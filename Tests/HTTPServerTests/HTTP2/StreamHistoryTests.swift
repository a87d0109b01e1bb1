import Domain
import NIOCore
import NIOHTTP2
import TestDice
import Testing

@testable import HTTPServer

/// Random histories of a stream that a client, a connection and a task could produce, and the rules that hold in all of
/// them.
@Suite struct StreamHistoryTests {
    @Test("no history breaks a rule of the stream") func histories() {
        var outcomes: [String: Int] = [:]
        let seeds = Dice.seeds(1...2_000)
        for seed in seeds {
            var history = StreamHistory(seed: seed)
            for _ in 0..<40 where history.broken == nil { history.step() }
            if let broken = history.broken { Issue.record("SEED=\(seed): \(broken)\nafter \(history.events)") }
            outcomes[history.outcome, default: 0] += 1
        }
        // If an end were never reached, the test would show little of it.
        if seeds.count > 1 {
            for outcome in ["answered", "refused", "reset", "open", "told"] {
                #expect(outcomes[outcome, default: 0] > 50, "\(outcome)")
            }
        }
    }
}

private struct StreamHistory {
    private(set) var events: [String] = []
    private(set) var broken: String?
    private var dice: Dice
    private var driver = StreamDriver()
    private var hasHead = false
    private var isInputEnded = false
    private var sentBytes = 0
    private var enqueued = 0
    private var refused = 0
    private var isTaskRunning = false
    private var isStreaming = false
    private var publishedBytes = 0
    /// Bytes of chunks that have left.
    private var leftBytes = 0
    private var lastChunkBytes = 0
    private var chunkUnderWay = false
    private var headsSent = 0
    private var isEnded = false
    private var resets = 0
    private var responseBytes = 0
    private var chunkBytes = 0
    /// Seconds since the last chunk.
    private var quietSeconds: Int64 = 0

    init(seed: UInt64) { dice = Dice(seed: seed) }

    var outcome: String {
        if resets > 0, !isEnded { return "reset" }
        if isStreaming { return "told" }
        if isEnded { return refused > 0 ? "refused" : "answered" }
        return "open"
    }

    mutating func step() {
        switch Int.random(in: 0..<100, using: &dice) {
        case 0..<40: send()
        case 40..<55: if enqueued == 1, refused == 0, !isTaskRunning, headsSent == 0 { begin() }
        case 55..<70: if isTaskRunning { respond() } else if isStreaming, !isEnded, resets == 0 { tell() }
        case 70..<90: if chunkUnderWay { report(.chunkSent, "chunk sent") }
        case 90..<97:
            let seconds = Int64.random(in: 1...12, using: &dice)
            quietSeconds += seconds
            report(.wait(seconds: seconds), "wait \(seconds)")
        case 97: if isStreaming || Bool.random(using: &dice) { report(.quiesce, "quiesce") }
        case 98: report(.stop, "stop")
        default: break
        }
    }

    private mutating func send() {
        guard !isInputEnded else { return }
        let isLast = Int.random(in: 0..<4, using: &dice) == 0
        if !hasHead {
            hasHead = true
            isInputEnded = isLast
            report(.head("PUT", isLast: isLast), "head \(isLast)")
        } else {
            let count = Bool.random(using: &dice) ? Int.random(in: 0..<100, using: &dice) : Limits.bodyBytesMax / 3
            let hasRoom = Int.random(in: 0..<10, using: &dice) > 0
            isInputEnded = isLast
            sentBytes += count
            report(.body(bytes: count, isLast: isLast, hasRoom: hasRoom), "body \(count) \(isLast) \(hasRoom)")
        }
    }

    private mutating func begin() {
        isTaskRunning = true
        report(.began, "began")
    }

    private mutating func respond() {
        isTaskRunning = false
        if Int.random(in: 0..<3, using: &dice) == 0 { return report(.respondedWithEvents, "responded with events") }
        responseBytes = Int.random(in: 0...(3 * Limits.streamChunkBytes), using: &dice)
        report(.responded(bytes: responseBytes), "responded")
    }

    private mutating func tell() {
        if Int.random(in: 0..<8, using: &dice) == 0 { return report(.endEvents, "end events") }
        let count = Int.random(in: 1...(2 * Limits.streamChunkBytes), using: &dice)
        let isTaken = publishedBytes == leftBytes || publishedBytes - leftBytes + count <= Limits.liveBacklogBytesMax
        if isTaken, !driver.machine.isEnding { publishedBytes += count }
        // What begins to be sent is due from now.
        if !chunkUnderWay { quietSeconds = 0 }
        report(.published(bytes: count), "published \(count)")
        if !isTaken, resets == 0, !driver.machine.isEnding { fail("a client that is too far behind goes on") }
    }

    private mutating func report(_ event: StreamDriver.Event, _ words: String) {
        events.append(words)
        if case .chunkSent = event {
            chunkUnderWay = false
            leftBytes += lastChunkBytes
        }
        var actions = driver.perform(event)
        while !actions.isEmpty {
            let action = actions.removeFirst()
            check(action)
            if case .refuse = action {
                responseBytes = 20
                actions += driver.perform(.responded(bytes: 20))
            }
        }
    }

    private mutating func check(_ action: StreamStateMachine.Action) {
        events.append("-> \(action.text)")
        if isEnded || resets > 0 {
            // The request to send no more may follow the response, or the end of patience with who does not read it.
            guard case .reset(let code) = action, resets == 0 else { return fail("acts after its end") }
            if isStreaming {
                resets += 1
                return
            }
            if code == .noError ? isInputEnded : quietSeconds < Limits.streamChunkSecondsMax {
                return fail("a needless reset")
            }
        }
        switch action {
        case .sendContinue: fail("nobody asked to be told to go on")
        case .enqueue(let request):
            enqueued += 1
            if enqueued > 1 || refused > 0 || !isInputEnded { fail("enqueued what is not whole") }
            if request.body.readableBytes != sentBytes { fail("a body of other bytes than were sent") }
            if sentBytes > Limits.bodyBytesMax { fail("a body beyond the limit") }
        case .refuse:
            refused += 1
            if refused > 1 || enqueued > 0 { fail("refused twice, or what is answered") }
        case .sendHead(_, let isLast):
            headsSent += 1
            if headsSent > 1 { fail("a second head") }
            if isLast != (responseBytes == 0) { fail("a head that ends a response with a body") }
            isEnded = isLast
        case .beginEvents:
            headsSent += 1
            isStreaming = true
            if headsSent > 1 { fail("a second head") }
        case .sendChunk(let bytes, let isLast, _) where isStreaming:
            if chunkUnderWay { fail("a chunk before its turn") }
            if bytes.readableBytes > Limits.streamChunkBytes { fail("a chunk too large") }
            quietSeconds = 0
            chunkBytes += bytes.readableBytes
            if chunkBytes > publishedBytes { fail("sends what was never published") }
            if isLast, chunkBytes != publishedBytes { fail("an end before all is sent") }
            (lastChunkBytes, chunkUnderWay, isEnded) = (bytes.readableBytes, true, isLast)
        case .sendChunk(let bytes, let isLast, let isReported):
            if headsSent != 1 || chunkUnderWay { fail("a chunk before its turn") }
            quietSeconds = 0
            if bytes.readableBytes > Limits.streamChunkBytes { fail("a chunk too large") }
            chunkBytes += bytes.readableBytes
            if isLast != (chunkBytes == responseBytes) { fail("an end at \(chunkBytes) of \(responseBytes) bytes") }
            if !isReported, !(isLast && isInputEnded) { fail("nobody learns that the chunk was sent") }
            chunkUnderWay = isReported
            isEnded = isLast
        case .reset: resets += 1
        }
    }

    private mutating func fail(_ rule: String) { if broken == nil { broken = rule } }
}
