package import Logging
import Synchronization

/// Keeps what is logged, for tests of what operators read.
package final class CapturedLog: Sendable {
    private struct Line {
        let message: String
        let metadata: Logger.Metadata
    }

    private let kept = Mutex<[Line]>([])
    private let level: Logger.Level

    /// - Parameter level: Less severe events are left out.
    package init(level: Logger.Level = .trace) { self.level = level }

    package var logger: Logger { Logger(label: "test") { _ in Handler(log: self, logLevel: level) } }

    /// The messages without their metadata, in order.
    package var messages: [String] { kept.withLock { $0.map(\.message) } }

    /// The messages with their metadata by key, such as `overloaded left-out=9`, in order.
    package var lines: [String] {
        kept.withLock { lines in
            lines.map { line in
                let fields = line.metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
                return line.message + fields.joined()
            }
        }
    }

    private struct Handler: LogHandler {
        let log: CapturedLog
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let line = Line(message: "\(event.message)", metadata: event.metadata ?? [:])
            log.kept.withLock { $0.append(line) }
        }
    }
}
