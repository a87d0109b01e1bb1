package import Concurrency
import Domain
import Storage
import Synchronization

/// A cache of what SQL answers about single players, bounded in bytes, used while the stream reports changes.
///
/// Changed players are dropped twice: see ``SecondDrops``.
package final class PlayerCache<Value: CacheSized>: Sendable {
    /// A value, and the count of merges when it was read.
    private struct Entry: CacheSized {
        let value: Value
        let merges: UInt64
        var bytesInCache: Int { value.bytesInCache + 8 }
    }

    /// A part of the cache with its own lock.
    private final class Shard: Sendable {
        struct State {
            var entries: GenerationalCache<Int64, Entry>
            /// Counts changes, so that a value that was read before a change is not kept after it.
            var changes: UInt64 = 0
            var isFollowing = false
        }

        let state: Mutex<State>
        let bytesMax: Int

        init(bytesMax: Int) {
            self.bytesMax = bytesMax
            state = Mutex(State(entries: GenerationalCache(bytesMax: bytesMax)))
        }
    }

    private let shards: [Shard]
    /// Counts merges. A merge may change the answers about every player with a tie to either player, so it invalidates
    /// all values. Merges are rare.
    private let merges = Atomic<UInt64>(0)
    private let drops = Mutex(SecondDrops<Int64>(keysMax: Limits.changedPlayersMax))

    /// - Parameter bytes: Approximate limit of the values in memory.
    init(bytes: Int) {
        let shardsCount = 64
        shards = (0..<shardsCount).map { _ in Shard(bytesMax: bytes / shardsCount) }
    }

    /// Approximate size of the values in memory.
    package var bytesCount: Int {
        shards.reduce(0) { sum, shard in sum + shard.state.withLock { $0.entries.bytesCount } }
    }

    /// The value of a player.
    /// - Parameters:
    ///   - mayKeep: Whether memory is current, so that the cache may be read and filled.
    ///   - read: Reads the value from the database.
    func value(of player: Player.ID, mayKeep: Bool, _ read: () async throws(StoreError) -> Value)
        async throws(StoreError) -> Value
    {
        let shard = shard(of: player.rawValue)
        let merges = merges.load(ordering: .acquiring)
        let (found, changes) = shard.state.withLock { state in
            (state.isFollowing ? state.entries.find(player.rawValue) : (value: nil, dropped: [:]), state.changes)
        }
        if mayKeep, let entry = found.value, entry.merges == merges { return entry.value }
        let value = try await read()
        guard mayKeep else { return value }
        let dropped = shard.state.withLock { state -> [Int64: Entry]? in
            guard state.isFollowing, state.changes == changes else { return nil }
            return state.entries.set(Entry(value: value, merges: merges), for: player.rawValue)
        }
        withExtendedLifetime(dropped) {}
        return value
    }

    /// Drops the values of players who have changed, now and once more a moment later.
    func forget(_ players: [Int64]) {
        for player in players { drop(player) }
        drops.withLock { drops in for player in players { drops.note(player) } }
    }

    /// Drops all values, after a merge, its undo or an erasure.
    func forgetAll() {
        merges.wrappingAdd(1, ordering: .acquiringAndReleasing)
        drops.withLock { $0.noteAll() }
    }

    /// Drops again what changed between the last two calls. The follower calls it every second.
    func forgetAgain() {
        switch drops.withLock({ $0.next() }) {
        case .keys(let players): for player in players { drop(player) }
        case .all: merges.wrappingAdd(1, ordering: .acquiringAndReleasing)
        }
    }

    /// Starts or stops caching, when the stream begins or stops reporting changes. Drops all values either way.
    func setFollowing(_ isFollowing: Bool) {
        for shard in shards {
            let dropped = shard.state.withLock { state in
                let dropped = state.entries
                state.entries = GenerationalCache(bytesMax: shard.bytesMax)
                state.changes &+= 1
                state.isFollowing = isFollowing
                return dropped
            }
            // Freeing many values takes a while, so it happens outside the lock.
            withExtendedLifetime(dropped) {}
        }
    }

    private func drop(_ player: Int64) {
        shard(of: player).state.withLock { state in
            state.changes &+= 1
            state.entries.remove(player)
        }
    }

    private func shard(of player: Int64) -> Shard {
        shards[Int(truncatingIfNeeded: UInt64(bitPattern: player) % UInt64(shards.count))]
    }
}
