package import Logging
import Synchronization

/// A log of events that strangers can cause at will, such as overload. It writes at most one line of each kind a second
/// and says in the next one how many it left out, so that a flood of requests makes no flood of lines, which callers
/// would write one by one while they hold their event loops.
package final class RateLimitedLog: Sendable {
    /// What tells one kind of event from another.
    private struct Kind: Hashable {
        let message: String
        let detail: String
    }

    private struct Line {
        var writtenAt: ContinuousClock.Instant
        var leftOutCount = 0
    }

    /// Kinds that are told apart; all further ones together count as one.
    private static let kindsMax = 64
    private static let interval = Duration.seconds(1)

    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private let lines = Mutex<[Kind: Line]>([:])

    package init(_ logger: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.logger = logger
        self.now = now
    }

    /// Writes a line, unless one of the same kind was written less than a second ago.
    /// - Parameters:
    ///   - message: A fixed text.
    ///   - detail: What distinguishes kinds with one message, such as an SQLSTATE. Callers take it from a small set,
    ///     never from what a client sent.
    ///   - metadata: Nothing in it may come from a client, as a line must stay one line.
    package func log(
        _ level: Logger.Level, _ message: StaticString, of detail: String = "",
        metadata: @autoclosure () -> Logger.Metadata = [:]
    ) {
        guard level >= logger.logLevel, let leftOutCount = turn(Kind(message: "\(message)", detail: detail)) else {
            return
        }
        var metadata = metadata()
        if leftOutCount > 0 { metadata["left-out"] = "\(leftOutCount)" }
        logger.log(level: level, "\(message)", metadata: metadata)
    }

    /// - Returns: How many lines of the kind were left out since the last one; nil when this one is left out too.
    private func turn(_ kind: Kind) -> Int? {
        let now = now()
        return lines.withLock { lines in
            let isReported = lines[kind] != nil || lines.count < Self.kindsMax
            let kind = isReported ? kind : Kind(message: "", detail: "")
            if let line = lines[kind], now - line.writtenAt < Self.interval {
                lines[kind]?.leftOutCount += 1
                return nil
            }
            return lines.updateValue(Line(writtenAt: now), forKey: kind)?.leftOutCount ?? 0
        }
    }
}
