import Logging
import NIOCore
import Synchronization

/// Counts the connections that were refused or closed for want of room, for the metrics, and logs the counts at most
/// once a second.
final class RefusalLog: Sendable {
    enum Reason: Int, CaseIterable {
        /// The address has as many connections as it may have.
        case addressFull
        /// The address opens connections too often.
        case tooOften
        /// The server has as many connections as it may have, and none of them is idle.
        case full
        /// An idle connection was closed for a new one.
        case madeRoom

        var name: String {
            switch self {
            case .addressFull: "address_full"
            case .tooOften: "address_rate"
            case .full: "server_full"
            case .madeRoom: "idle_closed"
            }
        }
    }

    private struct Counts {
        /// Since the start.
        var totals = [Int](repeating: 0, count: Reason.allCases.count)
        /// Since the last report.
        var byReason = [Int](repeating: 0, count: Reason.allCases.count)
        var isReportDue = false
    }

    private let logger: Logger
    private let counts = Mutex(Counts())

    init(_ logger: Logger) { self.logger = logger }

    /// How many there were since the start.
    func total(_ reason: Reason) -> Int { counts.withLock { $0.totals[reason.rawValue] } }

    /// - Parameter eventLoop: Logs the counts, in a second.
    func add(_ reason: Reason, on eventLoop: any EventLoop) {
        let isFirst = counts.withLock { counts in
            counts.totals[reason.rawValue] += 1
            counts.byReason[reason.rawValue] += 1
            defer { counts.isReportDue = true }
            return !counts.isReportDue
        }
        if isFirst { eventLoop.scheduleTask(in: .seconds(1)) { self.report() } }
    }

    private func report() {
        let counts = self.counts.withLock { counts in
            let last = counts
            counts = Counts(totals: last.totals)
            return last
        }
        var metadata: Logger.Metadata = [:]
        for reason in Reason.allCases where counts.byReason[reason.rawValue] > 0 {
            metadata[reason.name] = "\(counts.byReason[reason.rawValue])"
        }
        logger.warning("connections were refused, or idle ones closed to make room", metadata: metadata)
    }
}
