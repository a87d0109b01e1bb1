import Synchronization

/// Admits a number of tasks at once; the others wait in order.
final class Gate: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(places: Int) { state = Mutex(State(free: places)) }

    func enter() async {
        await withCheckedContinuation { place in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(place)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { place.resume() }
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
