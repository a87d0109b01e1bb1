import Synchronization

/// Suspends one task until its socket is ready, another thread signals, a deadline passes or the task is cancelled,
/// whichever is first.
///
/// Each wait ends exactly once, because the thread that ends it takes the continuation out under the lock. A signal
/// that comes while no task waits is kept for the next wait. A socket's event is not kept, since the kernel reports it
/// again when the socket is armed again.
final class Waiter: Sendable {
    enum Wakeup { case ready, deadline, cancelled }

    private struct State {
        var turn: UInt64 = 0
        var continuation: CheckedContinuation<Wakeup, Never>?
        var deadline: ContinuousClock.Instant?
        var isSignalled = false
        var cancelledTurn: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Suspends the task. `arm` runs once the wait is registered, and what it starts may end the wait at once.
    /// - Parameter heedsCancellation: false to go on waiting although the task is cancelled, as cleanup must.
    func wait(heedsCancellation: Bool, until deadline: ContinuousClock.Instant?, arm: () -> Void) async -> Wakeup {
        let turn = state.withLock { state in
            state.turn += 1
            return state.turn
        }
        guard heedsCancellation else { return await suspend(turn, until: deadline, arm: arm) }
        return await withTaskCancellationHandler {
            await suspend(turn, until: deadline, arm: arm)
        } onCancel: {
            cancel(turn)
        }
    }

    /// Ends the wait, or the next one if there is none now.
    func signal() {
        let continuation = state.withLock { state in
            state.isSignalled = state.continuation == nil
            return state.continuation.take()
        }
        continuation?.resume(returning: .ready)
    }

    /// Ends the wait if there is one.
    func fire() { state.withLock { $0.continuation.take() }?.resume(returning: .ready) }

    /// Ends the wait if its deadline has passed. Returns the deadline of a wait that goes on; nil when there is none.
    func expire(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let (continuation, deadline) = state.withLock {
            state -> (CheckedContinuation<Wakeup, Never>?, ContinuousClock.Instant?) in
            guard state.continuation != nil, let deadline = state.deadline else { return (nil, nil) }
            return deadline <= now ? (state.continuation.take(), nil) : (nil, deadline)
        }
        continuation?.resume(returning: .deadline)
        return deadline
    }

    private func suspend(_ turn: UInt64, until deadline: ContinuousClock.Instant?, arm: () -> Void) async -> Wakeup {
        await withCheckedContinuation { continuation in
            let early = state.withLock { state -> Wakeup? in
                if state.cancelledTurn == turn { return .cancelled }
                if state.isSignalled {
                    state.isSignalled = false
                    return .ready
                }
                state.continuation = continuation
                state.deadline = deadline
                return nil
            }
            if let early { continuation.resume(returning: early) } else { arm() }
        }
    }

    private func cancel(_ turn: UInt64) {
        let continuation = state.withLock { state -> CheckedContinuation<Wakeup, Never>? in
            guard state.turn == turn else { return nil }
            state.cancelledTurn = turn
            return state.continuation.take()
        }
        continuation?.resume(returning: .cancelled)
    }
}
