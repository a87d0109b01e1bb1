import Domain
import Storage
import Synchronization

/// Names and pictures of players, as many as fit, kept while the stream tells of their changes.
final class PlayerSummaryCache: Sendable {
    /// Two generations: when the young one is full it becomes the old one, and the old one is forgotten.
    fileprivate final class Shard: Sendable {
        struct State {
            var young: [Int64: PlayerSummary] = [:]
            var old: [Int64: PlayerSummary] = [:]
            var youngBytes = 0
            var oldBytes = 0
            /// Counts changes of players, so that what was read before one is not kept after it.
            var changes: UInt64 = 0
            var isFollowing = false
        }

        let state = Mutex(State())
        /// Bytes of one generation.
        let bytesMax: Int

        init(bytesMax: Int) {
            self.bytesMax = bytesMax
        }
    }

    private let store: Store
    private let shards: [Shard]
    private let changesCount = Atomic<UInt64>(0)
    /// How often the database had to be asked, since the stream is followed and since as many were read as fit.
    private let readsCount = Atomic<Int>(0)
    private let readsMax: Int
    private let pageRows: Int32
    private let wakeup = AsyncSignal()
    private let changed = Mutex(Changed())

    /// Players who are forgotten a second time.
    private struct Changed {
        /// Since the last call of ``forgetAgain()``.
        var now = Set<Int64>()
        /// Between the last call and the one before.
        var before = Set<Int64>()
    }

    /// - Parameters:
    ///   - bytes: What they may take in memory, about.
    ///   - readsMax: How often the database is asked for some before as many are read as fit.
    ///   - pageRows: As many are read at once then.
    init(store: Store, bytes: Int, readsMax: Int = Limits.summaryReadsMax, pageRows: Int32 = Limits.summaryPageRows) {
        self.store = store
        self.readsMax = readsMax
        self.pageRows = pageRows
        let shardCount = 256
        shards = (0..<shardCount).map { _ in Shard(bytesMax: bytes / 2 / shardCount) }
    }

    /// Grows with every change of a player.
    var version: UInt64 { changesCount.load(ordering: .acquiring) }

    /// How many are in memory; one may count twice.
    var keptCount: Int {
        shards.reduce(0) { count, shard in shard.state.withLock { count + $0.young.count + $0.old.count } }
    }

    /// - Parameters:
    ///   - rows: Ids of players, or their negatives.
    ///   - near: Others who will be asked for next: they are read along with any that has to be read.
    /// - Returns: One for each of the rows, in their order; nil where there is no such player.
    func summaries(of rows: [Int64], near: () -> [Int64] = { [] }) async throws(StoreError) -> [PlayerSummary?] {
        var summaries: [PlayerSummary?] = []
        summaries.reserveCapacity(rows.count)
        var missing: [Int64: (changes: UInt64, summary: PlayerSummary?)] = [:]
        for row in rows {
            let player = Int64(clamping: row.magnitude)
            let (summary, changes) = shard(of: player).find(player)
            summaries.append(summary)
            if summary == nil { missing[player] = (changes, nil) }
        }
        if missing.isEmpty { return summaries }
        if readsCount.wrappingAdd(1, ordering: .relaxed).newValue == readsMax { wakeup.signal() }
        for row in near() {
            let player = Int64(clamping: row.magnitude)
            let (summary, changes) = shard(of: player).find(player)
            if summary == nil { missing[player] = (changes, nil) }
        }
        for summary in try await store.summaries(of: missing.keys.map { Player.ID(rawValue: $0) }) {
            let player = summary.player.rawValue
            guard let changes = missing[player]?.changes else { continue }
            missing[player] = (changes, summary)
            shard(of: player).keep(summary, readAt: changes, mayForget: true)
        }
        for (index, row) in rows.enumerated() where summaries[index] == nil {
            summaries[index] = missing[Int64(clamping: row.magnitude)]?.summary
        }
        return summaries
    }

    /// From now on the stream tells of changes, or no more.
    func setFollowing(_ isFollowing: Bool) {
        for shard in shards { shard.forgetAll(isFollowing: isFollowing) }
        readsCount.store(0, ordering: .relaxed)
        changesCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
    }

    /// Reads as many as there is room for, once so many different ones have been asked for that the database is busy
    /// with that.
    func fill() async {
        while !Task.isCancelled {
            await wakeup.wait()
            // Whoever asks for as many again has it tried again.
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

    /// Forgets a player whose name or picture has changed, now and once more a little later: see ``forgetAgain()``.
    func forget(_ player: Int64) {
        shard(of: player).forget(player)
        changesCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
        changed.withLock { changed in
            if changed.now.count < Limits.changedPlayersMax { _ = changed.now.insert(player) }
        }
    }

    /// Forgets again the players who changed between the last two calls; the follower calls it each second.
    ///
    /// A commit is in the stream as soon as it is in the WAL, which is a moment before other transactions see it. A
    /// read in between returns the former name, and without this it would be kept.
    func forgetAgain() {
        let (players, isFull) = changed.withLock { changed in
            defer { changed = Changed(before: changed.now) }
            return (changed.before, changed.before.count >= Limits.changedPlayersMax)
        }
        if players.isEmpty { return }
        if isFull {
            for shard in shards { shard.forgetAll() }
        } else {
            for player in players { shard(of: player).forget(player) }
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
        var (forgotten, found): ([Int64: PlayerSummary], PlayerSummary?) = ([:], nil)
        let changes = state.withLock { state in
            found = state.young[player]
            if found == nil, let summary = state.old[player] {
                found = summary
                forgotten = state.keep(summary, bytesMax: bytesMax)
            }
            return state.changes
        }
        // Many take a while to free: nobody waits for that.
        withExtendedLifetime(forgotten) {}
        return (found, changes)
    }

    /// - Parameters:
    ///   - changes: What was counted before it was read.
    ///   - mayForget: Whether others make room for it; else it is kept only where there is room in one generation.
    /// - Returns: Whether it was kept.
    @discardableResult
    fileprivate func keep(_ summary: PlayerSummary, readAt changes: UInt64, mayForget: Bool) -> Bool {
        var forgotten: [Int64: PlayerSummary] = [:]
        let isKept = state.withLock { state in
            guard state.isFollowing, state.changes == changes,
                mayForget || state.youngBytes + state.oldBytes + summary.bytes <= bytesMax
            else {
                return false
            }
            forgotten = state.keep(summary, bytesMax: bytesMax)
            return true
        }
        withExtendedLifetime(forgotten) {}
        return isKept
    }

    fileprivate func forget(_ player: Int64) {
        state.withLock { state in
            state.changes &+= 1
            if let summary = state.young.removeValue(forKey: player) { state.youngBytes -= summary.bytes }
            if let summary = state.old.removeValue(forKey: player) { state.oldBytes -= summary.bytes }
        }
    }

    /// - Parameter isFollowing: Nil leaves it as it is.
    fileprivate func forgetAll(isFollowing: Bool? = nil) {
        let forgotten = state.withLock { state in
            defer {
                state = State(changes: state.changes &+ 1, isFollowing: isFollowing ?? state.isFollowing)
            }
            return (state.young, state.old)
        }
        withExtendedLifetime(forgotten) {}
    }
}

extension PlayerSummaryCache.Shard.State {
    /// - Returns: Those that it has forgotten for it.
    fileprivate mutating func keep(_ summary: PlayerSummary, bytesMax: Int) -> [Int64: PlayerSummary] {
        var forgotten: [Int64: PlayerSummary] = [:]
        if youngBytes + summary.bytes > bytesMax, !young.isEmpty {
            forgotten = old
            (old, oldBytes) = (young, youngBytes)
            (young, youngBytes) = ([:], 0)
        }
        if let before = young.updateValue(summary, forKey: summary.player.rawValue) { youngBytes -= before.bytes }
        youngBytes += summary.bytes
        return forgotten
    }
}

extension PlayerSummary {
    /// In a dictionary that is a little over half full, with what its name and picture have on the heap: measured,
    /// about.
    fileprivate var bytes: Int {
        72 + (avatar == nil ? 0 : 64) + (name.utf8.count > 15 ? 32 + name.utf8.count : 0)
    }
}
