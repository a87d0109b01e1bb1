import Domain
import NIOCore
import Synchronization

/// Bounds how many pictures are decoded at the same time, and how many wait for that, in the order of their arrival.
/// Anybody may register a player with a picture, so nothing but this bound keeps strangers from taking all processors.
final class PictureDecoders: Sendable {
    private typealias Waiter = CheckedContinuation<Bool, Never>

    private struct State {
        var runningCount = 0
        /// The oldest comes first.
        var waiting: [Waiter] = []
    }

    private let runningMax: Int
    private let waitingMax: Int
    private let state = Mutex(State())

    /// - Parameter runningMax: By default half of the processors, so that the other half serves everybody else.
    init(runningMax: Int = max(1, System.coreCount / 2), waitingMax: Int = Limits.picturesWaitingMax) {
        self.runningMax = runningMax
        self.waitingMax = waitingMax
    }

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs a job when it is its turn.
    /// - Throws: 503 at once when too many wait, a `CancellationError` when the task was cancelled before the job's
    ///   turn, and what the job throws.
    func run<Value>(_ job: () async throws -> Value) async throws -> Value {
        guard await hasTurn() else { throw Problem.busy }
        defer { endTurn() }
        try Task.checkCancellation()
        return try await job()
    }

    /// Waits for a turn.
    /// - Returns: False at once when too many wait.
    private func hasTurn() async -> Bool {
        await withCheckedContinuation { waiter in
            let hasTurn = state.withLock { state -> Bool? in
                if state.runningCount < runningMax {
                    state.runningCount += 1
                    return true
                }
                guard state.waiting.count < waitingMax else { return false }
                state.waiting.append(waiter)
                return nil
            }
            if let hasTurn { waiter.resume(returning: hasTurn) }
        }
    }

    /// Passes the turn to the oldest that waits.
    private func endTurn() {
        let next = state.withLock { state -> Waiter? in
            if state.waiting.isEmpty {
                state.runningCount -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume(returning: true)
    }
}
