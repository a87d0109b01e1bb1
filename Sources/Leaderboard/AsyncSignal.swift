import Synchronization

/// Lets one task sleep until another signals. A signal that nobody waits for is remembered, once.
final class AsyncSignal: Sendable {
    private enum State {
        case idle, signalled
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.idle)

    /// Wakes the task that waits, or the next one that would.
    func signal() {
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

    /// Returns after a signal, or when the task is cancelled. A wait may end once more for a signal that came together
    /// with the cancellation, so whoever waits looks again at what it waits for.
    /// - Precondition: No other task waits.
    func wait() async {
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
