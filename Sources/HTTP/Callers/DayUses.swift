import Domain
import Synchronization

/// The keys of games, or the devices, that were used today. Only those that the database has accepted come in, so
/// strangers cannot fill it.
final class DayUses<Key: Hashable & Sendable>: Sendable {
    private struct State {
        var day: Day?
        var keys: Set<Key> = []
    }

    private let state = Mutex(State())
    private let max: Int

    /// - Parameter max: Keys that are remembered; one more drops the others.
    init(max: Int) { self.max = max }

    /// Whether a key has not been used on this day before; from then on it has.
    func isFirst(of key: Key, on day: Day) -> Bool {
        state.withLock { state in
            if state.day != day || state.keys.count >= max { (state.day, state.keys) = (day, []) }
            return state.keys.insert(key).inserted
        }
    }

    func forget(_ key: Key) { state.withLock { _ = $0.keys.remove(key) } }
}
