import Concurrency
import Domain
import NIOCore
import Storage

/// Limits how many pictures are decoded or drawn, or pages and feeds made, at the same time, and how many wait. Clients
/// take turns. Anybody may request these, so nothing but this bound keeps strangers from taking all processors.
final class FairWorkers: Sendable {
    private let gate: FairGate<ClientKey>

    init(_ bounds: GateBounds) { gate = FairGate(bounds) }

    var counts: (running: Int, waiting: Int) { gate.counts }

    /// Runs a job when it is its turn, without the place of the caller in `CorePlaces`. A client that goes frees its
    /// turn at once, unless its job waits for a place in `CorePlaces`: then when it gets one.
    /// - Throws: `StoreError.crowded` at once if the queue is full, `CancellationError` if the task was cancelled
    ///   before its turn, and errors of the job.
    func run<Value>(_ job: () async throws -> Value) async throws -> Value {
        try await CorePlaces.givingUp {
            switch await gate.enter(.current) {
            case .granted(let client):
                defer { gate.leave(client) }
                try Task.checkCancellation()
                return try await job()
            case .refused: throw StoreError.crowded
            case .cancelled: throw CancellationError()
            }
        }
    }

    /// The same, away from the event loop of the request, on which many connections wait for their answers.
    func runElsewhere<Value>(_ job: () async throws -> Value) async throws -> Value {
        try await run {
            try await withTaskExecutorPreference(globalConcurrentExecutor) {
                // Only a task that was suspended goes on elsewhere.
                await Task.yield()
                return try await job()
            }
        }
    }
}

extension CorePlaces {
    /// Runs pages and feeds that are made.
    static func forFeeds(coresCount: Int = System.coreCount) -> CorePlaces {
        let runningMax = max(Limits.feedsRunningMin, coresCount * Limits.feedsRunningPerCore)
        return CorePlaces(runningMax: runningMax, runningOfClientMax: runningMax / 2)
    }
}

extension GateBounds {
    /// Decodes pictures on half of the processors, so that the other half serves everybody else.
    static let picturesDecoded = {
        let runningMax = max(1, System.coreCount / 2)
        return GateBounds(
            runningMax: runningMax, runningOfKeyMax: max(1, runningMax / 2), waitingMax: Limits.picturesWaitingMax,
            waitingOfKeyMax: Limits.picturesOfClientWaitingMax)
    }()

    /// Draws cards and thermometers. One drawing takes a tenth of a second.
    static let cardsDrawn = GateBounds(
        runningMax: Limits.cardsDrawnMax, runningOfKeyMax: Limits.cardsOfClientDrawnMax,
        waitingMax: Limits.cardsWaitingMax, waitingOfKeyMax: Limits.cardsOfClientWaitingMax)

    /// Starts to make pages and feeds that are in no cache. `CorePlaces` limits how many of these run.
    static let feedsMade = GateBounds(
        runningMax: Limits.feedsMadeMax, runningOfKeyMax: Limits.feedsOfClientMadeMax,
        waitingMax: Limits.feedsWaitingMax, waitingOfKeyMax: Limits.feedsOfClientWaitingMax)

    /// Computes statistics, which read millions of rows.
    static let stats = GateBounds(
        runningMax: 1, runningOfKeyMax: 1, waitingMax: Limits.statsWaitingMax,
        waitingOfKeyMax: Limits.statsOfClientWaitingMax)
}
