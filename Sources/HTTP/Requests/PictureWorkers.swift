import Domain
import Leaderboard
import NIOCore

/// Bounds how many pictures are decoded at the same time, and how many wait for that, in the order of their arrival.
/// Anybody may register a player with a picture, so nothing but this bound keeps strangers from taking all processors.
final class PictureWorkers: Sendable {
    private let gate: AdmissionGate

    /// - Parameter runningMax: By default half of the processors, so that the other half serves everybody else.
    init(runningMax: Int = max(1, System.coreCount / 2), waitingMax: Int = Limits.picturesWaitingMax) {
        gate = AdmissionGate(runningMax: runningMax, waitingMax: waitingMax)
    }

    var waitingCount: Int { gate.counts.waiting }

    /// Runs a job when it is its turn. A client that goes frees its place at once.
    /// - Throws: 503 at once when too many wait, a `CancellationError` when the task was cancelled before the job's
    ///   turn, and what the job throws.
    func run<Value>(_ job: () async throws -> Value) async throws -> Value {
        guard await gate.enter() else {
            try Task.checkCancellation()
            throw Problem.busy
        }
        defer { gate.leave() }
        try Task.checkCancellation()
        return try await job()
    }
}
