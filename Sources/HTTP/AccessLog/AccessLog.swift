import Domain
package import Logging
import NIOPosix
import Synchronization

/// The log of requests, a line of JSON each. JSON lines need no description of their fields, and jq, Loki, Vector and
/// CloudWatch read them as they are.
///
/// A request appends its line to a buffer in memory and never waits for the disk. A thread of the log's own writes the
/// buffer; while it cannot keep up, further lines are dropped and counted.
package final class AccessLog: Sendable {
    private struct State {
        /// Whole lines that wait for the writer.
        var waiting: [UInt8] = []
        /// Bytes that the writer has taken and not finished.
        var writingBytesCount = 0
        var isWriterRunning = false
        var mustReopen = false
        var droppedLinesCount = 0
        var isStopped = false
        /// Called when all lines are written.
        var onIdle: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    /// Only the writer's thread locks it, which may then wait for the disk.
    private let file: Mutex<AccessLogFile>
    private let games = Mutex<Set<Slug>>([])
    private let refusals = Mutex(RefusalLines())
    private let writer = NIOThreadPool(numberOfThreads: 1)
    private let bytesMax: Int
    private let logger: Logger

    /// - Parameters:
    ///   - path: A file, which is appended to, or `-` for standard output.
    ///   - reserve: The reserve of the file's disk: see ``DiskReserveRule/stopsLogs(on:isStopped:)``.
    ///   - findDisk: The disk of an open file; nil if it has none.
    /// - Throws: ``AccessLogFile/Failure`` when the file cannot be opened.
    package init(
        _ path: String, bytesMax: Int = Limits.accessLogBytesMax, reserve: DiskReserveRule = DiskReserveRule(bytes: 0),
        findDisk: @escaping @Sendable (Int32) -> DiskUse? = { DiskUse(of: $0) }, logger: Logger
    ) throws {
        file = Mutex(try AccessLogFile(path, reserve: reserve, findDisk: findDisk))
        self.bytesMax = bytesMax
        self.logger = logger
        writer.start()
    }

    deinit { writer.shutdownGracefully { _ in } }

    package var droppedLinesCount: Int { state.withLock { $0.droppedLinesCount } }
    /// Whether it writes nothing, because its disk has little free space.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Writes the line of a request. Answers of 429 beyond ``Limits/accessLogRefusalsMax`` in a minute have none; a
    /// line of the next minute says how many.
    func write(_ line: AccessLogLine) {
        let (isAdmitted, leftOut) = refusals.withLock { refusals in
            let leftOut = refusals.leftOut(until: line.time)
            return (refusals.admits(line), leftOut)
        }
        if let leftOut { append(leftOut) }
        if isAdmitted { append(line.bytes) }
    }

    /// - Parameter line: With its line feed.
    package func append(_ line: [UInt8]) {
        let mustStart = state.withLock { state in
            guard state.waiting.count + state.writingBytesCount + line.count <= bytesMax else {
                state.droppedLinesCount += 1
                return false
            }
            state.waiting += line
            return Self.startsWriter(&state)
        }
        if mustStart { startWriter() }
    }

    /// Opens the file anew, after the lines that wait now: a log rotation has renamed the old one.
    package func reopen() {
        let mustStart = state.withLock { state in
            state.mustReopen = true
            return Self.startsWriter(&state)
        }
        if mustStart { startWriter() }
    }

    /// Returns once all lines are written and the file has been reopened where that was asked for, or after `limit`.
    package func flush(within limit: Duration) async {
        if let leftOut = refusals.withLock({ $0.leftOut(until: nil) }) { append(leftOut) }
        let (idle, continuation) = AsyncStream<Void>.makeStream()
        let isIdle = state.withLock { state in
            if state.isWriterRunning { state.onIdle.append { continuation.finish() } }
            return !state.isWriterRunning
        }
        if isIdle { return }
        await withTaskGroup { group in
            group.addTask { for await _ in idle {} }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Whether the log may show a game: one that a request has found. Others are a client's own text.
    func knows(_ game: Slug) -> Bool { games.withLock { $0.contains(game) } }

    func found(_ game: Slug) {
        games.withLock { games in if games.count < Limits.accessLogGamesMax { games.insert(game) } }
    }

    private static func startsWriter(_ state: inout State) -> Bool {
        defer { state.isWriterRunning = true }
        return !state.isWriterRunning
    }

    private func startWriter() { writer.submit { [self] _ in writeAll() } }

    private func tell(isStopped: Bool) {
        if isStopped {
            logger.warning("the access log drops its lines: its disk has little free space")
        } else {
            logger.info("the access log is written again")
        }
    }

    private func writeAll() {
        while true {
            let (lines, reopens, onIdle) = state.withLock { state -> ([UInt8], Bool, [@Sendable () -> Void]) in
                let lines = state.waiting
                let reopens = state.mustReopen
                state.waiting = []
                state.writingBytesCount = lines.count
                state.mustReopen = false
                guard lines.isEmpty, !reopens else { return (lines, reopens, []) }
                state.isWriterRunning = false
                defer { state.onIdle = [] }
                return ([], false, state.onIdle)
            }
            if lines.isEmpty, !reopens {
                for call in onIdle { call() }
                return
            }
            file.withLock { file in
                let lost = file.write(lines)
                let isStopped = file.isStopped
                let wasStopped = state.withLock { state in
                    state.droppedLinesCount += lost
                    defer { state.isStopped = isStopped }
                    return state.isStopped
                }
                if isStopped != wasStopped { tell(isStopped: isStopped) }
                if reopens { file.reopen() }
                if let trouble = file.newTrouble() {
                    logger.error("the access log cannot be written", metadata: ["reason": "\(trouble)"])
                }
            }
        }
    }
}
