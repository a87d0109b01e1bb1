import Storage
import Synchronization

/// A counting semaphore with a bounded queue: lets some jobs run at the same time, such as dear reads or the decoding
/// of pictures, keeps some waiting, and refuses the others at once.
package final class AdmissionGate: Sendable {
    private enum Turn {
        case granted
        case cancelled
    }

    private struct Waiter {
        let number: UInt64
        let turn: CheckedContinuation<Turn, Never>
    }

    private struct State {
        var runningCount = 0
        /// First come, first served.
        var waiters: [Waiter] = []
        var last: UInt64 = 0
        /// Calls that were cancelled before they began to wait.
        var cancelled: Set<UInt64> = []
    }

    private let runningMax: Int
    private let waitingMax: Int
    private let state = Mutex(State())

    package init(runningMax: Int, waitingMax: Int) {
        self.runningMax = runningMax
        self.waitingMax = waitingMax
    }

    /// The number of jobs that run, and of those that wait.
    package var counts: (running: Int, waiting: Int) { state.withLock { ($0.runningCount, $0.waiters.count) } }

    /// Runs a read when it is its turn.
    /// - Throws: `overloaded` when too many wait, or when the task is cancelled while it waits; what `read` throws.
    func run<Value>(_ read: () async throws(StoreError) -> Value) async throws(StoreError) -> Value {
        guard await enter() else { throw .overloaded }
        defer { leave() }
        return try await read()
    }

    /// Waits for a turn, which ``leave()`` has to give back.
    /// - Returns: False at once when too many wait, and as soon as the task is cancelled while it waits.
    package func enter() async -> Bool {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        let turn = await withTaskCancellationHandler {
            await withCheckedContinuation { (turn: CheckedContinuation<Turn, Never>) in
                let atOnce = state.withLock { state -> Turn? in
                    if state.cancelled.remove(number) != nil { return .cancelled }
                    if state.runningCount < runningMax {
                        state.runningCount += 1
                        return .granted
                    }
                    guard state.waiters.count < waitingMax else { return .cancelled }
                    state.waiters.append(Waiter(number: number, turn: turn))
                    return nil
                }
                if let atOnce { turn.resume(returning: atOnce) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let index = state.waiters.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.waiters.remove(at: index)
            }
            waiter?.turn.resume(returning: .cancelled)
        }
        // A cancellation that came after the turn was granted left its number behind.
        state.withLock { _ = $0.cancelled.remove(number) }
        return turn == .granted
    }

    package func leave() {
        let next = state.withLock { state -> Waiter? in
            guard !state.waiters.isEmpty else {
                state.runningCount -= 1
                return nil
            }
            // The turn passes on, so the number of those that run stays the same.
            return state.waiters.removeFirst()
        }
        next?.turn.resume(returning: .granted)
    }
}
