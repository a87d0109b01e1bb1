import Domain
import NIOCore
import Storage

/// Limits how many pictures are decoded or drawn at the same time, and how many wait. Clients take turns.
/// Anybody may register a player with a picture, so nothing but this bound keeps strangers from taking all processors.
final class PictureWorkers: Sendable {
    private let gate: FairGate<ClientKey>

    init(_ bounds: GateBounds) {
        gate = FairGate(bounds)
    }

    var waitingCount: Int { gate.counts.waiting }

    /// Runs a job when it is its turn. A client that goes frees its place at once.
    /// - Throws: `StoreError.crowded` at once if the queue is full, `CancellationError` if the task was cancelled
    ///   before its turn, and errors of the job.
    func run<Value>(_ job: () async throws -> Value) async throws -> Value {
        let client = ClientKey.current
        switch await gate.enter(client) {
        case .granted: break
        case .refused: throw StoreError.crowded
        case .cancelled: throw CancellationError()
        }
        defer { gate.leave(client) }
        try Task.checkCancellation()
        return try await job()
    }
}

extension GateBounds {
    /// Decodes pictures on half of the processors, so that the other half serves everybody else.
    static let picturesDecoded = {
        let runningMax = max(1, System.coreCount / 2)
        return GateBounds(
            runningMax: runningMax,
            runningOfKeyMax: max(1, runningMax / 2),
            waitingMax: Limits.picturesWaitingMax,
            waitingOfKeyMax: Limits.picturesOfClientWaitingMax
        )
    }()

    /// Draws cards and thermometers. One drawing takes a tenth of a second.
    static let cardsDrawn = GateBounds(
        runningMax: Limits.cardsDrawnMax,
        runningOfKeyMax: Limits.cardsOfClientDrawnMax,
        waitingMax: Limits.cardsWaitingMax,
        waitingOfKeyMax: Limits.cardsOfClientWaitingMax
    )

    /// Computes statistics, which read millions of rows.
    static let stats = GateBounds(
        runningMax: 1,
        runningOfKeyMax: 1,
        waitingMax: Limits.statsWaitingMax,
        waitingOfKeyMax: Limits.statsOfClientWaitingMax
    )
}
