import Concurrency
package import Domain
package import Logging
import ServiceLifecycle
import OrderStatistics
package import Storage
import Synchronization

/// Keeps this process's standings: loads them from a snapshot, and then applies every later commit of the replication
/// slot's stream. It starts again whenever the stream is lost; meanwhile ranks come from SQL.
package final class Follower: Service {
    private let store: Store
    private let heartbeats: Store
    private let memory: LeaderboardMemory
    private let open: @Sendable () async throws(FollowError) -> RollupStream
    private let logger: Logger
    private let now: @Sendable () -> Instant
    private let copies: Int
    private let lag = Mutex(StreamLag(bytes: 0, milliseconds: 0))
    private let heartbeatsUnderWay = Mutex(0)

    /// - Parameters:
    ///   - heartbeats: A store whose connections write heartbeats only, so that these wait behind nobody's posts.
    ///   - open: Opens a connection with a login that may replicate.
    ///   - now: The server's clock.
    ///   - copies: How many of the store's connections read one snapshot at the same time, at most.
    package init(
        store: Store, heartbeats: Store, memory: LeaderboardMemory, logger: Logger,
        now: @escaping @Sendable () -> Instant, copies: Int,
        open: @escaping @Sendable () async throws(FollowError) -> RollupStream
    ) {
        self.store = store
        self.heartbeats = heartbeats
        self.memory = memory
        self.logger = logger
        self.now = now
        self.copies = max(1, copies)
        self.open = open
    }

    /// The lag of the standings at the last commit; nil while no stream is followed.
    package var streamLag: StreamLag? { memory.standings.areFollowed ? lag.withLock { $0 } : nil }

    /// The age of the latest heartbeat that came back through the stream, counted from when it was sent; nil while no
    /// stream is followed or none has come back.
    package var timeSinceHeartbeat: Duration? { memory.commitBarrier.timeSinceHeartbeat() }

    package func run() async {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask { await self.follow() }
                group.addTask { await self.load() }
                group.addTask { await self.memory.commitBarrier.watch() }
                group.addTask { await self.tick() }
                group.addTask { await self.sendHeartbeats() }
                group.addTask { await self.memory.summaries.fill() }
                group.addTask { await self.memory.standings.fillFlagged() }
                group.addTask { await self.tidy() }
            }
        }
    }

    /// Follows one stream after the other, with a pause that doubles after each loss, up to 5 s.
    private func follow() async {
        var backoff = Backoff(first: .milliseconds(100), longest: .seconds(5))
        var lastLogged: FollowError?
        while !Task.isCancelled {
            let began = ContinuousClock.now
            do throws(FollowError) { try await followUntilSilent() } catch {
                end()
                if Task.isCancelled { return }
                if .now - began > .seconds(30) {
                    backoff.reset()
                    lastLogged = nil
                }
                if lastLogged != error { logger.warning("\(error.explanation)", metadata: error.metadata) }
                lastLogged = error
            }
            // A random pause keeps the processes of a site from connecting at the same moment.
            try? await Task.sleep(for: backoff.nextAtRandom())
        }
    }

    /// Follows a stream until it is lost, or until it brings back nothing of what this process commits, as the stream
    /// of a former primary does.
    private func followUntilSilent() async throws(FollowError) {
        do {
            try await withThrowingTaskGroup { group in
                defer { group.cancelAll() }
                group.addTask { try await self.followOnce() }
                group.addTask {
                    while !self.memory.commitBarrier.isSilent() { try await Task.sleep(for: .seconds(1)) }
                    throw FollowError.silent
                }
                try await group.next()
            }
        } catch let error as FollowError { throw error } catch { throw FollowError(StoreError.unavailable) }
    }

    private func followOnce() async throws(FollowError) {
        let stream = try await open()
        let snapshot = try await stream.snapshot(settledBy: store)
        let clock = ContinuousClock()
        let began = clock.now
        do throws(StoreError) { try await loadAll(from: snapshot) } catch { throw FollowError(error) }
        let rows = memory.standings.rowsCount
        let milliseconds = (clock.now - began) / .milliseconds(1)
        logger.info("standings are loaded", metadata: ["rows": "\(rows)", "milliseconds": "\(Int64(milliseconds))"])
        memory.boardCache.setFollowing(true)
        do throws(StoreError) {
            let published = try await store.publishedChanges()
            memory.callers.setFollowing(published.callers)
            memory.ties.setFollowing(published.ties)
            memory.holds.setFollowing(published.holds)
            memory.campaigns.setFollowing(published.campaigns)
        } catch { throw FollowError(error) }
        memory.summaries.setFollowing(true)
        memory.awards.setFollowing(true)
        // Once this marker comes back, the standings contain everything that was committed while they were loaded.
        let marker = memory.commitBarrier.begin()
        do throws(StoreError) { try await heartbeats.emit(marker.text) } catch { throw FollowError(error) }
        memory.commitBarrier.committed(marker)
        try await stream.follow(snapshot) { changes throws(FollowError) in try apply(changes) }
    }

    private func end() {
        // First of all nothing is current any more.
        memory.commitBarrier.end()
        memory.standings.end()
        memory.teams.end()
        memory.boardCache.setFollowing(false)
        memory.callers.setFollowing(false)
        memory.ties.setFollowing(false)
        memory.holds.setFollowing(false)
        memory.summaries.setFollowing(false)
        memory.awards.setFollowing(false)
        memory.campaigns.setFollowing(false)
    }

    /// Loads all time of every season that is being played.
    private func loadAll(from snapshot: RollupStream.Snapshot) async throws(StoreError) {
        let published = try await store.publishedChanges()
        let (boards, hidden, merged, erased, members, flags) = try await store.snapshotHeader(in: snapshot)
        memory.merged.begin(merged)
        memory.teams.begin(members, merged: merged, isPublished: published.teams)
        memory.erased.begin(erased)
        memory.standings.flags.begin(flags, isFollowed: published.flags)
        memory.standings.begin(hidden: Set(hidden.map(\.rawValue)))
        try await load(boards.map { memory.standings.prepare($0) }, from: snapshot)
    }

    /// Reads the rows of windows from one snapshot, on several connections.
    private func load(_ windows: [InMemoryWindow], from snapshot: RollupStream.Snapshot) async throws(StoreError) {
        let queue = WindowQueue(windows)
        do {
            try await withThrowingTaskGroup { group in
                for _ in 0..<min(copies, windows.count) {
                    group.addTask {
                        try await self.store.reading(snapshot) { reader throws(StoreError) in
                            while let window = queue.next() {
                                try await self.load(window, reader, readAt: snapshot.position)
                            }
                        }
                    }
                }
                // The first failure cancels the others.
                while try await group.next() != nil {}
            }
        } catch let error as StoreError { throw error } catch { throw .unavailable }
    }

    private func load(_ window: InMemoryWindow, _ reader: SnapshotReader, readAt position: UInt64)
        async throws(StoreError)
    {
        var rows: RankedSetBuilder? = RankedSetBuilder()
        var count = 0
        var isWanted = true
        try await reader.rows(of: window.id.board, days: window.id.days) { orderKey, reachedAt, row in
            if count % Limits.windowRowsStep == 0, isWanted {
                isWanted = memory.standings.makeRoom(for: window, rowsCount: count)
                if !isWanted { rows = nil }
            }
            count += 1
            rows?.append(RankedRow(orderKey: orderKey, reachedAt: reachedAt.microsecondsSince1970, row: row))
        }
        if let rows = rows.take() { memory.standings.install(rows.finish(), in: window, readAt: position) }
    }

    private func apply(_ changes: CommittedChanges) throws(FollowError) {
        if changes.isReset { throw .emptied }
        memory.awards.note(changes, before: memory)
        memory.campaigns.note(changes)
        for board in changes.endedBoards { memory.standings.end(board) }
        for board in changes.boards { memory.standings.add(board) }
        if changes.invalidatesBoards { memory.boardCache.forget() }
        if changes.invalidatesCallers { memory.callers.forgetAll() }
        for device in changes.devices { memory.callers.forget(device) }
        for merge in changes.merges { memory.merged.set(merge.player, merge.survivor) }
        if !changes.merges.isEmpty {
            memory.ties.forgetAll()
            memory.holds.forgetAll()
        }
        if changes.changesGames { memory.summaries.forgetAll() }
        memory.ties.forget(withSurvivors(changes.ties.flatMap { [$0.player, $0.other] }))
        memory.holds.forget(withSurvivors(changes.heldPlayers))
        for player in changes.players {
            memory.summaries.forget(player.player)
            if player.isErased {
                memory.erased.add(player.player)
                memory.callers.forget(Player.ID(rawValue: player.player))
            }
            memory.standings.setHidden(player.player, player.isHidden)
            memory.standings.setFlag(player.player, player.flag)
        }
        memory.teams.apply(changes)
        memory.standings.apply(changes.rollups, committedAt: changes.position)
        // Posts show the name of the player that theirs was merged into.
        if changes.changesBestPosts || !changes.merges.isEmpty { memory.standings.bestPosts.changed() }
        if changes.isRepair { memory.standings.noteRepair() }
        let late = now().microsecondsSince1970 &- changes.committedAt.microsecondsSince1970
        lag.withLock { $0 = StreamLag(bytes: changes.bytesBehind, milliseconds: max(0, late / 1_000)) }
        for marker in changes.markers { memory.commitBarrier.saw(marker) }
    }

    /// Players, and the survivors of those who were merged: caches know these by their survivors.
    private func withSurvivors(_ players: some Collection<Int64>) -> [Int64] {
        players + players.map { memory.merged.survivor(of: Player.ID(rawValue: $0)).rawValue }
    }

    /// Loads the windows that readers ask for, one after the other, so that strangers who ask for many keep no more
    /// than one connection busy.
    private func load() async {
        var backoff = Backoff(first: .milliseconds(50), longest: .seconds(5))
        while !Task.isCancelled {
            await memory.standings.untilWanted()
            do {
                try await loadWanted()
                backoff.reset()
                continue
            } catch { logger.debug("a window could not be loaded", metadata: ["error": "\(error)"]) }
            try? await Task.sleep(for: backoff.next())
        }
    }

    /// Loads the windows whose turn it is from one snapshot. Each can be read as soon as it is there.
    private func loadWanted() async throws {
        // A snapshot that cannot be made is charged to nobody.
        var began: ContinuousClock.Instant?
        let stream = try await open()
        defer { stream.close() }
        var windows = memory.standings.takeWanted(Limits.windowsOfSnapshotMax)[...]
        if windows.isEmpty { return }
        func end(_ window: InMemoryWindow) {
            let now = ContinuousClock.now
            memory.standings.endLoad(of: window, took: began.map { now - $0 } ?? .zero)
            if began != nil { began = now }
        }
        defer {
            for window in windows {
                memory.standings.drop(window)
                end(window)
            }
        }
        let snapshot = try await stream.snapshot(settledBy: store)
        began = .now
        try await store.reading(snapshot) { reader throws(StoreError) in
            while let window = windows.first {
                try await self.load(window, reader, readAt: snapshot.position)
                windows.removeFirst()
                end(window)
            }
        }
    }

    private func tick() async {
        while !Task.isCancelled {
            memory.commitBarrier.wantHeartbeat()
            try? await Task.sleep(for: .milliseconds(Limits.heartbeatMilliseconds))
        }
    }

    /// Writes a heartbeat into the WAL twice a second, and whenever the commit barrier asks for one.
    ///
    /// It is a transactional message, because the stream brings those in the order of commits, and because a commit is
    /// flushed at once. Other messages would stay in a page of the WAL that is not full until something else is
    /// committed.
    private func sendHeartbeats() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                await memory.commitBarrier.heartbeatDue()
                guard heartbeatsUnderWay.withLock({ $0 }) < Limits.heartbeatConnections,
                    let heartbeat = memory.commitBarrier.heartbeat()
                else { continue }
                heartbeatsUnderWay.withLock { $0 += 1 }
                group.addTask {
                    defer { self.heartbeatsUnderWay.withLock { $0 -= 1 } }
                    // Without it the standings grow old, and that is all there is to say.
                    guard (try? await self.heartbeats.emit(heartbeat.text)) != nil else { return }
                    self.memory.commitBarrier.committed(heartbeat)
                }
            }
        }
    }

    private func tidy() async {
        let clock = ContinuousClock()
        let began = clock.now
        while !Task.isCancelled {
            let seconds = Int64((clock.now - began) / .seconds(1))
            memory.standings.tidy(at: seconds)
            memory.teams.tidy(at: seconds)
            memory.awards.version.changedAgain()
            memory.campaigns.tidy()
            memory.summaries.forgetAgain()
            memory.boardCache.forgetAgain()
            memory.ties.forgetAgain()
            memory.holds.forgetAgain()
            memory.callers.forgetAgain()
            try? await Task.sleep(for: .seconds(1))
        }
    }
}

/// Hands out windows one by one to the tasks that load them.
private final class WindowQueue: Sendable {
    private let remaining: Mutex<ArraySlice<InMemoryWindow>>

    init(_ windows: [InMemoryWindow]) { remaining = Mutex(windows[...]) }

    func next() -> InMemoryWindow? { remaining.withLock { $0.popFirst() } }
}

/// How far the standings are behind the database's commits.
package struct StreamLag: Sendable {
    /// WAL bytes not yet read at the last commit.
    package let bytes: UInt64
    /// The time from the last commit until it was applied, by the clocks of the database and this process.
    package let milliseconds: Int64
}
