import Concurrency
import Domain
import Storage
import Synchronization

/// Names and picture hashes of as many players as fit, kept while the stream reports changes.
final class PlayerSummaryCache: Sendable {
    /// A part of the cache with a lock of its own.
    final class Shard: Sendable {
        struct State {
            var summaries: GenerationalCache<Int64, PlayerSummary>
            /// Counts changes of players, so that a summary that was read before a change is not kept after it.
            var changes: UInt64 = 0
            var isFollowing = false
        }

        let state: Mutex<State>
        let bytesMax: Int

        init(bytesMax: Int) {
            self.bytesMax = bytesMax
            state = Mutex(State(summaries: GenerationalCache(bytesMax: bytesMax)))
        }
    }

    private let store: Store
    let shards: [Shard]
    private let changesCount = Atomic<UInt64>(0)
    /// Reads of missing summaries since the stream is followed, or since a fill failed.
    private let readsCount = Atomic<Int>(0)
    private let readsMax: Int
    private let pageRows: Int32
    private let wakeup = AsyncSignal()
    private let drops = Mutex(SecondDrops<Int64>(keysMax: Limits.changedPlayersMax))

    /// - Parameters:
    ///   - bytes: About how many bytes the summaries may take in memory.
    ///   - readsMax: Reads of missing summaries after which the cache is filled.
    ///   - pageRows: Players that one statement reads while the cache is filled.
    init(store: Store, bytes: Int, readsMax: Int = Limits.summaryReadsMax, pageRows: Int32 = Limits.summaryPageRows) {
        self.store = store
        self.readsMax = readsMax
        self.pageRows = pageRows
        let shardCount = 256
        shards = (0..<shardCount).map { _ in Shard(bytesMax: bytes / shardCount) }
    }

    /// Increases with every change of a player.
    var version: UInt64 { changesCount.load(ordering: .acquiring) }

    /// How many summaries there are, and about how many bytes they take.
    var size: (count: Int, bytes: Int) {
        shards.reduce((0, 0)) { sum, shard in
            let (count, bytes) = shard.state.withLock { ($0.summaries.count, $0.summaries.bytesCount) }
            return (sum.0 + count, sum.1 + bytes)
        }
    }

    /// The summary of a row's player while it is in the cache.
    func find(_ row: Int64) -> PlayerSummary? { row < 0 ? .anonymous : shard(of: row).find(row).0 }

    /// - Parameters:
    ///   - rows: Ids of players, or negative numbers, which stand for anonymous donations.
    ///   - near: Rows that will probably be asked for next. They are read only when another row has to be read anyway.
    /// - Returns: One summary for each row, in order; nil where there is no such player.
    func summaries(of rows: [Int64], near: () -> [Int64] = { [] }) async throws(StoreError) -> [PlayerSummary?] {
        var summaries: [PlayerSummary?] = []
        summaries.reserveCapacity(rows.count)
        var missing: [Int64: (changes: UInt64, summary: PlayerSummary?)] = [:]
        for row in rows {
            if row < 0 {
                summaries.append(.anonymous)
                continue
            }
            let (summary, changes) = shard(of: row).find(row)
            summaries.append(summary)
            if summary == nil { missing[row] = (changes, nil) }
        }
        if missing.isEmpty { return summaries }
        if readsCount.wrappingAdd(1, ordering: .relaxed).newValue == readsMax { wakeup.signal() }
        for row in near() where row > 0 {
            let (summary, changes) = shard(of: row).find(row)
            if summary == nil { missing[row] = (changes, nil) }
        }
        for summary in try await store.summaries(of: missing.keys.map { Player.ID(rawValue: $0) }) {
            let player = summary.player.rawValue
            guard let changes = missing[player]?.changes else { continue }
            missing[player] = (changes, summary)
            shard(of: player).keep(summary, readAt: changes, mayForget: true)
        }
        for (index, row) in rows.enumerated() where summaries[index] == nil { summaries[index] = missing[row]?.summary }
        return summaries
    }

    /// Starts or stops caching, as the stream begins or ceases to report changes; drops everything either way.
    func setFollowing(_ isFollowing: Bool) {
        for shard in shards { shard.forgetAll(isFollowing: isFollowing) }
        readsCount.store(0, ordering: .relaxed)
        changesCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
    }

    /// Fills the cache with as many players as fit, once so many were missing that reading them one by one keeps the
    /// database busy. Runs until it is cancelled.
    func fill() async {
        while !Task.isCancelled {
            await wakeup.wait()
            // After a failure the count starts again, so as many further misses try it again.
            do { try await fillOnce() } catch { readsCount.store(0, ordering: .relaxed) }
        }
    }

    private func fillOnce() async throws(StoreError) {
        var last = Player.ID(rawValue: 0)
        var hasRoom = true
        while hasRoom, !Task.isCancelled {
            let changes = shards.map { shard in shard.state.withLock { $0.changes } }
            let summaries = try await store.summaries(after: last, limitRows: pageRows)
            hasRoom = false
            for summary in summaries {
                let index = shardIndex(of: summary.player.rawValue)
                if shards[index].keep(summary, readAt: changes[index], mayForget: false) { hasRoom = true }
            }
            guard summaries.count == Int(pageRows), let next = summaries.last?.player else { return }
            last = next
        }
    }

    /// Drops a player whose name or picture has changed, now and once more a little later: see ``forgetAgain()``.
    func forget(_ player: Int64) {
        shard(of: player).forget(player)
        changesCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
        drops.withLock { $0.note(player) }
    }

    /// Drops all players, because a game shows more or less of its players now, and all of them once more a little
    /// later.
    func forgetAll() {
        for shard in shards { shard.forgetAll() }
        changesCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
        drops.withLock { $0.noteAll() }
    }

    /// Drops again the players who changed between the last two calls; the follower calls it each second.
    func forgetAgain() {
        switch drops.withLock({ $0.next() }) {
        case .keys(let players) where players.isEmpty: return
        case .keys(let players): for player in players { shard(of: player).forget(player) }
        case .all: for shard in shards { shard.forgetAll() }
        }
        changesCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
    }

    private func shard(of player: Int64) -> Shard { shards[shardIndex(of: player)] }

    private func shardIndex(of player: Int64) -> Int {
        Int(truncatingIfNeeded: UInt64(bitPattern: player) % UInt64(shards.count))
    }
}

extension PlayerSummaryCache.Shard {
    fileprivate func find(_ player: Int64) -> (PlayerSummary?, changes: UInt64) {
        let (found, changes) = state.withLock { state in (state.summaries.find(player), state.changes) }
        return (found.value, changes)
    }

    /// - Parameters:
    ///   - changes: The count of changes before the summary was read.
    ///   - mayForget: Whether older summaries make room for it; otherwise it is kept only while all of them fit into
    ///     one generation.
    /// - Returns: Whether it was kept.
    @discardableResult fileprivate func keep(_ summary: PlayerSummary, readAt changes: UInt64, mayForget: Bool) -> Bool
    {
        let dropped = state.withLock { state -> GenerationalCache<Int64, PlayerSummary>.Dropped? in
            guard state.isFollowing, state.changes == changes, mayForget || state.summaries.hasRoom(for: summary) else {
                return nil
            }
            return state.summaries.set(summary, for: summary.player.rawValue)
        }
        return dropped != nil
    }

    fileprivate func forget(_ player: Int64) {
        state.withLock { state in
            state.changes &+= 1
            state.summaries.remove(player)
        }
    }

    /// - Parameter isFollowing: Nil leaves it as it is.
    fileprivate func forgetAll(isFollowing: Bool? = nil) {
        let dropped = state.withLock { state in
            let dropped = state.summaries
            state.summaries = GenerationalCache(bytesMax: bytesMax)
            state.changes &+= 1
            if let isFollowing { state.isFollowing = isFollowing }
            return dropped
        }
        // Freeing many summaries takes a while, so it happens outside the lock.
        withExtendedLifetime(dropped) {}
    }
}

extension PlayerSummary {
    /// What stands for a donation of which nobody knows who donated it; it is no player.
    fileprivate static let anonymous = PlayerSummary(
        player: Player.ID(rawValue: 0), name: Standing.anonymousName, avatar: nil)
}

extension PlayerSummary: CacheSized {
    /// As measured in a dictionary that is a little over half full, with the name and the picture's hash on the heap.
    package var bytesInCache: Int { 88 + (avatar == nil ? 0 : 64) + (name.utf8.count > 15 ? 32 + name.utf8.count : 0) }
}
