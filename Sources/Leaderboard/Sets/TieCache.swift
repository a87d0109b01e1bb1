import Concurrency
import Domain
import Storage
import Synchronization

/// A cache of players' friends, bounded in bytes, used while the stream reports changes.
///
/// A commit is in the stream a moment before other transactions see it, and a read in between returns the previous
/// friends. So changed sets are dropped twice, as in ``PlayerSummaryCache``.
package final class TieCache: Sendable {
    /// A set, and the count of merges when it was read.
    private struct Entry: CacheSized {
        let members: MemberSet
        let merges: UInt64
        var bytesInCache: Int { members.bytesInCache + 8 }
    }

    /// A part of the cache with its own lock.
    private final class Shard: Sendable {
        struct State {
            var sets: GenerationalCache<Int64, Entry>
            /// Counts changes, so that a set that was read before a change is not kept after it.
            var changes: UInt64 = 0
            var isFollowing = false
        }

        let state: Mutex<State>
        let bytesMax: Int

        init(bytesMax: Int) {
            self.bytesMax = bytesMax
            state = Mutex(State(sets: GenerationalCache(bytesMax: bytesMax)))
        }
    }

    /// Players whose sets are to be dropped a second time.
    private struct Changed {
        /// Since the last call of ``forgetAgain()``.
        var now = Set<Int64>()
        /// Between the last call and the one before.
        var before = Set<Int64>()
        var hasMerges = false
        var hadMerges = false
    }

    private let shards: [Shard]
    /// Counts merges. A merge may change the friends of every player with a tie to either player, so it invalidates all
    /// sets. Merges are rare.
    private let merges = Atomic<UInt64>(0)
    private let versions = Atomic<UInt64>(0)
    private let changed = Mutex(Changed())

    /// - Parameter bytes: Approximate limit of the sets in memory.
    init(bytes: Int) { shards = (0..<Self.shardsCount).map { _ in Shard(bytesMax: bytes / Self.shardsCount) } }

    private static let shardsCount = 64

    /// Approximate size of the sets in memory.
    package var bytesCount: Int { shards.reduce(0) { sum, shard in sum + shard.state.withLock { $0.sets.bytesCount } } }

    /// The player and its friends.
    /// - Parameters:
    ///   - mayKeep: Whether memory is current, so that the cache may be read and filled.
    ///   - read: Reads the friends from the database.
    func friends(of player: Player.ID, mayKeep: Bool, _ read: () async throws(StoreError) -> [Player.ID])
        async throws(StoreError) -> MemberSet
    {
        let shard = shard(of: player.rawValue)
        let merges = merges.load(ordering: .acquiring)
        let (found, changes) = shard.state.withLock { state in
            (state.isFollowing ? state.sets.find(player.rawValue) : (value: nil, dropped: [:]), state.changes)
        }
        if mayKeep, let entry = found.value, entry.merges == merges { return entry.members }
        let members = MemberSet(
            try await read() + [player], version: versions.wrappingAdd(1, ordering: .relaxed).newValue)
        guard mayKeep else { return members }
        let dropped = shard.state.withLock { state -> [Int64: Entry]? in
            guard state.isFollowing, state.changes == changes else { return nil }
            return state.sets.set(Entry(members: members, merges: merges), for: player.rawValue)
        }
        withExtendedLifetime(dropped) {}
        return members
    }

    /// Drops the friends of players whose ties have changed, now and once more a moment later.
    func forget(_ players: [Int64]) {
        for player in players { drop(player) }
        changed.withLock { changed in
            for player in players where changed.now.count < Limits.changedPlayersMax { changed.now.insert(player) }
        }
    }

    /// Drops all sets, after a merge, its undo or an erasure.
    func forgetAll() {
        merges.wrappingAdd(1, ordering: .acquiringAndReleasing)
        changed.withLock { $0.hasMerges = true }
    }

    /// Drops again the sets that changed between the last two calls. The follower calls it every second.
    func forgetAgain() {
        let (players, hadMerges) = changed.withLock { changed in
            let found = (changed.before, changed.hadMerges || changed.before.count >= Limits.changedPlayersMax)
            changed = Changed(before: changed.now, hadMerges: changed.hasMerges)
            return found
        }
        for player in players { drop(player) }
        if hadMerges { merges.wrappingAdd(1, ordering: .acquiringAndReleasing) }
    }

    /// Starts or stops caching, when the stream begins or stops reporting changes. Drops all sets either way.
    func setFollowing(_ isFollowing: Bool) {
        for shard in shards {
            let dropped = shard.state.withLock { state in
                let dropped = state.sets
                state.sets = GenerationalCache(bytesMax: shard.bytesMax)
                state.changes &+= 1
                state.isFollowing = isFollowing
                return dropped
            }
            // Freeing many sets takes a while, so it happens outside the lock.
            withExtendedLifetime(dropped) {}
        }
    }

    private func drop(_ player: Int64) {
        shard(of: player).state.withLock { state in
            state.changes &+= 1
            state.sets.remove(player)
        }
    }

    private func shard(of player: Int64) -> Shard {
        shards[Int(truncatingIfNeeded: UInt64(bitPattern: player) % UInt64(shards.count))]
    }
}
