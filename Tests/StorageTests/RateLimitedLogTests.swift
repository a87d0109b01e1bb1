import Logging
import Storage
import Synchronization
import Testing

@Suite struct RateLimitedLogTests {
    /// Keeps what is logged.
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = event.metadata ?? [:]
            let fields = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
            lines.all.withLock { $0.append("\(event.message)\(fields.joined())") }
        }
    }

    /// A log with a clock that stands until it is moved.
    private final class Clock: Sendable {
        let now = Mutex(ContinuousClock.now)

        func advance(_ duration: Duration) { now.withLock { $0 += duration } }
    }

    private let lines = Lines()
    private let clock = Clock()
    private let log: RateLimitedLog

    init() {
        let (lines, clock) = (lines, clock)
        log = RateLimitedLog(Logger(label: "test") { _ in Handler(lines: lines) }) { clock.now.withLock { $0 } }
    }

    private var written: [String] { lines.all.withLock { $0 } }

    @Test("of a flood one line a second is written, and it says how many were left out")
    func flood() {
        for _ in 0..<1_000 { log.log(.warning, "overloaded") }
        #expect(written == ["overloaded"])
        clock.advance(.milliseconds(999))
        log.log(.warning, "overloaded")
        #expect(written.count == 1)
        clock.advance(.milliseconds(1))
        for _ in 0..<10 { log.log(.warning, "overloaded", metadata: ["sqlstate": "53300"]) }
        #expect(written == ["overloaded", "overloaded left-out=1000 sqlstate=53300"])
        clock.advance(.seconds(1))
        log.log(.warning, "overloaded")
        #expect(written.last == "overloaded left-out=9")
    }

    @Test("each kind has its own line, and beyond 64 kinds all others share one")
    func kinds() {
        for number in 0..<64 { log.log(.error, "refused", of: "\(number)") }
        #expect(written.count == 64)
        for number in 0..<5_000 { log.log(.error, "refused", of: "more \(number)") }
        #expect(written.count == 65)
    }

    @Test("a level that is not logged costs nothing and takes no turn")
    func level() {
        log.log(.debug, "overloaded")
        log.log(.warning, "overloaded")
        #expect(written == ["overloaded"])
    }
}
