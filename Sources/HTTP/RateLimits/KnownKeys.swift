import Domain
import Synchronization

/// The keys of games and of operators that the database has confirmed not long ago. Only good keys come in, so
/// strangers cannot fill it.
final class KnownKeys: Sendable {
    private let keys = Mutex<[BucketKey: UInt64]>([:])

    /// - Parameter now: Monotonic nanoseconds.
    func contains(_ key: BucketKey, at now: UInt64) -> Bool {
        keys.withLock { keys in
            guard let knownUntil = keys[key] else { return false }
            return now < knownUntil
        }
    }

    /// Remembers a key that the database has just confirmed. One more than ``Limits/knownKeysMax`` drops the others,
    /// which are confirmed again with their next request.
    func insert(_ key: BucketKey, at now: UInt64) {
        keys.withLock { keys in
            if keys[key] == nil, keys.count >= Limits.knownKeysMax { keys.removeAll(keepingCapacity: true) }
            keys[key] = now &+ UInt64(Limits.knownKeySeconds) * Rate.Unit.second.nanoseconds
        }
    }

    func remove(_ key: BucketKey) { keys.withLock { _ = $0.removeValue(forKey: key) } }

    var count: Int { keys.withLock { $0.count } }
}
