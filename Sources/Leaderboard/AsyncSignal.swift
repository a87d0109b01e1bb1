import Synchronization

/// Lets one task sleep until another rings. A ring that nobody waits for is remembered, once.
final class AsyncSignal: Sendable {
    private enum State {
        case silent, rung
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.silent)

    func signal() {
        let sleeper = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if case .waiting(let sleeper) = state {
                state = .silent
                return sleeper
            }
            state = .rung
            return nil
        }
        sleeper?.resume()
    }

    /// Returns after a ring, or when the task is cancelled. One task at a time may wait.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleeper in
                let wasRung = state.withLock { state in
                    if case .silent = state {
                        state = .waiting(sleeper)
                        return false
                    }
                    state = .silent
                    return true
                }
                if wasRung { sleeper.resume() }
            }
        } onCancel: {
            signal()
        }
    }
}
