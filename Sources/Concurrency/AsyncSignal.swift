import Synchronization

/// Suspends one task until another signals. A signal that finds no waiting task is remembered; several of them count as
/// one.
package final class AsyncSignal: Sendable {
    private enum State {
        case idle, signalled
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.idle)

    package init() {}

    /// Wakes the waiting task; without one the next call of ``wait()`` returns at once. Any thread may call it.
    package func signal() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if case .waiting(let waiter) = state {
                state = .idle
                return waiter
            }
            state = .signalled
            return nil
        }
        waiter?.resume()
    }

    /// Returns after a signal, or when the task is cancelled. A signal that coincides with the cancellation may end a
    /// later wait as well, so the caller checks again what it waits for.
    /// - Precondition: No other task waits.
    package func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let wasSignalled = state.withLock { state in
                    switch state {
                    case .idle:
                        state = .waiting(waiter)
                        return false
                    case .signalled:
                        state = .idle
                        return true
                    case .waiting:
                        preconditionFailure("two tasks wait for one signal, and only one of them would be woken")
                    }
                }
                if wasSignalled { waiter.resume() }
            }
        } onCancel: {
            signal()
        }
    }
}
