/// What a cache that follows the replication stream drops a second time.
///
/// A commit is in the stream as soon as it is in the WAL, which is a moment before other transactions see it. A read in
/// between returns the previous row, and would be kept. So a changed key is dropped at once, and again a second or two
/// later.
package struct SecondDrops<Key: Hashable & Sendable>: Sendable {
    package enum Due: Sendable {
        case keys(Set<Key>)
        /// Every key.
        case all
    }

    private let keysMax: Int
    /// Since the last call of ``next()``.
    private var now = Due.keys([])
    /// Between the last call and the one before.
    private var before = Due.keys([])

    /// - Parameter keysMax: Keys that are remembered between two calls of ``next()``. With more, all are due.
    package init(keysMax: Int) { self.keysMax = keysMax }

    package mutating func note(_ key: Key) {
        guard case .keys(var keys) = now else { return }
        now = .all
        if keys.count < keysMax || keys.contains(key) {
            keys.insert(key)
            now = .keys(keys)
        }
    }

    package mutating func noteAll() { now = .all }

    /// Returns what changed between the last two calls. Call it once a second.
    package mutating func next() -> Due {
        defer { (before, now) = (now, .keys([])) }
        return before
    }
}
