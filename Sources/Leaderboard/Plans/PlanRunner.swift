package import CoreMetrics
import Domain
package import Logging
package import Storage

/// Makes the donations of players' plans once the books of a day are closed. All processes try, and one at a time does
/// it. What each plan gives is stored first, with the ids of its donations. So if a process ends at any moment, another
/// one makes the missing donations.
package struct PlanRunner: Sendable {
    /// How many players' donations are made at the same time.
    private static let runsAtOnce = 16
    private static let batchPause = Duration.milliseconds(100)

    private let store: Store
    private let writeBatcher: WriteBatcher
    private let clock: ServerClock
    private let meters: PlanMeters
    private let logger: Logger

    /// - Parameter metrics: Where its runs are counted.
    package init(
        store: Store, writeBatcher: WriteBatcher, clock: ServerClock,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance, logger: Logger
    ) {
        (self.store, self.writeBatcher, self.clock, self.logger) = (store, writeBatcher, clock, logger)
        meters = PlanMeters(metrics)
    }

    /// Runs all plans that are due, and makes the donations that a process before has left. What fails is left for the
    /// next time.
    package func pass() async {
        var cursor: PlanCursor?
        var (giving, skipped) = (0, 0)
        repeat {
            let batch = try? await store.carryingOutPlans { [cursor] in await self.batch(after: cursor) }
            guard let batch = batch ?? nil else { break }
            cursor = batch.next
            giving += batch.giving
            skipped += batch.skipped
            if cursor != nil { try? await Task.sleep(for: Self.batchPause) }
        } while cursor != nil && !Task.isCancelled
        if giving + skipped > 0 {
            logger.info("plans have run", metadata: ["donated": "\(giving)", "skipped": "\(skipped)"])
        }
    }

    private struct Batch {
        /// Nil at the end.
        var next: PlanCursor?
        var giving = 0
        var skipped = 0
    }

    /// Decides what the next plans give, and makes all donations that were decided, those of a process that has ended
    /// too.
    private func batch(after cursor: PlanCursor?) async -> Batch {
        var batch = Batch(next: cursor)
        do throws(StoreError) {
            let decided = try await store.decidePlans(after: &batch.next, now: clock.now)
            batch.skipped = decided.skipped
            var open: [OpenRun] = []
            repeat {
                open = try await store.openPlanRuns()
                let done = await carryOut(open)
                batch.giving += done.giving
                batch.skipped += done.skipped
                // Those that failed have their turn in the next pass.
                if done.giving + done.skipped < open.count { break }
            } while !open.isEmpty && !Task.isCancelled
        } catch { batch.next = nil }
        meters.ran(donated: batch.giving, skipped: batch.skipped)
        return batch
    }

    private func carryOut(_ runs: [OpenRun]) async -> (giving: Int, skipped: Int) {
        var (giving, skipped) = (0, 0)
        await withTaskGroup(of: Bool?.self) { group in
            for (index, run) in runs.enumerated() {
                if index >= Self.runsAtOnce, let done = await group.next() ?? nil {
                    if done { giving += 1 } else { skipped += 1 }
                }
                group.addTask { await carryOut(run) }
            }
            for await case let done? in group { if done { giving += 1 } else { skipped += 1 } }
        }
        return (giving, skipped)
    }

    /// Makes the donations of one run.
    /// - Returns: Whether it gave something; nil when it is not done.
    private func carryOut(_ run: OpenRun) async -> Bool? {
        var refused: [Slug: PlanSkip] = [:]
        for line in run.lines {
            if run.isMerged {
                refused[line.charity] = .merged
                continue
            }
            guard !Task.isCancelled else { return nil }
            let recorded = try? await writeBatcher.donate { arrivedAt in
                NewDonation(
                    line.points, by: .player(run.player), to: CharityName(line.charity), id: line.id,
                    isAnonymous: run.isAnonymous, reachedAt: arrivedAt)
            }
            switch recorded?.receipt.outcome {
            case .recorded?, .retry?: break
            case .charityClosed?, .noCharity?: refused[line.charity] = .charityClosed
            case .capReached?: refused[line.charity] = .capReached
            case .overspent?, .settling?: refused[line.charity] = .overspent
            case .conflict?: refused[line.charity] = .idReused
            case .banned?: refused[line.charity] = .banned
            case .noPlayer?, .unauthorized?, .forbidden?, .scope?, .tokenNeeded?, .protocolClosed?:
                refused[line.charity] = .merged
            case .deferred?, nil: return nil
            }
        }
        return try? await store.note(run, refused: refused, now: clock.now)
    }
}

/// Counts runs of plans.
private struct PlanMeters: Sendable {
    private let donated: Counter
    private let skipped: Counter

    init(_ factory: any MetricsFactory) {
        func runs(_ outcome: String) -> Counter {
            Counter(label: "plan_runs_total", dimensions: [("outcome", outcome)], factory: factory)
        }
        (donated, skipped) = (runs("donated"), runs("skipped"))
    }

    func ran(donated count: Int, skipped others: Int) {
        if count > 0 { donated.increment(by: count) }
        if others > 0 { skipped.increment(by: others) }
    }
}
