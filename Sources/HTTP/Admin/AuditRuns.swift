import Domain
import FoundationEssentials
package import Leaderboard
package import Storage
import Synchronization

/// The audits that operators ask this process for: one at a time, and the results of the last few. An audit only reads.
package final class AuditRuns: Sendable {
    /// One audit.
    struct Run: Sendable {
        let id: UUID
        let startedAt: Instant
        /// The checks that are done, in their order.
        var findings: [AuditFinding] = []
        /// Nil while it runs.
        var endedAt: Instant?
        /// Whether it ended without all of its checks, because the database would not do them.
        var isBroken = false

        /// Rows that are not what the ledgers say, over all checks that are done.
        var differing: Int64 { findings.reduce(0) { $0 + min($1.differing, Int64.max - $0) } }
    }

    enum Start { case started, known, busy }

    private let auditor: Auditor
    private let clock: ServerClock
    /// The newest last; at most ``Limits/auditsKept``.
    private let runs = Mutex<[Run]>([])
    private let asked: AsyncStream<UUID>
    private let ask: AsyncStream<UUID>.Continuation

    /// - Parameter auditor: Its store's sessions should be ``SessionPresets/auditing``.
    package init(_ auditor: Auditor, clock: ServerClock) {
        self.auditor = auditor
        self.clock = clock
        (asked, ask) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// Makes the audits that are asked for until the task is cancelled. It runs once.
    package func run() async {
        for await id in asked {
            var isBroken = false
            do { try await auditor.findings { finding in change(id) { $0.findings.append(finding) } } } catch {
                isBroken = true
            }
            change(id) { ($0.endedAt, $0.isBroken) = (clock.now, isBroken) }
        }
    }

    /// Starts an audit, unless there was one under this id, or another one runs.
    func start(_ id: UUID) -> Start {
        runs.withLock { runs in
            if runs.contains(where: { $0.id == id }) { return .known }
            if runs.contains(where: { $0.endedAt == nil }) { return .busy }
            if runs.count >= Limits.auditsKept { runs.removeFirst() }
            runs.append(Run(id: id, startedAt: clock.now))
            ask.yield(id)
            return .started
        }
    }

    func find(_ id: UUID) -> Run? { runs.withLock { runs in runs.first { $0.id == id } } }

    /// All that are kept, the newest first.
    var all: [Run] { runs.withLock { $0.reversed() } }

    private func change(_ id: UUID, _ body: (inout Run) -> Void) {
        runs.withLock { runs in
            guard let index = runs.firstIndex(where: { $0.id == id }) else { return }
            body(&runs[index])
        }
    }
}
