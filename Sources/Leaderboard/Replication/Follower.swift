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
    private let memory: LeaderboardMemory
    private let open: @Sendable () async throws(FollowError) -> RollupStream
    private let logger: Logger
    private let now: @Sendable () -> Instant
    private let copies: Int
    private let lag = Mutex(StreamLag(bytes: 0, milliseconds: 0))

    /// - Parameters:
    ///   - open: Opens a connection with a login that may replicate.
    ///   - now: The server's clock.
    ///   - copies: How many of the store's connections read one snapshot at the same time, at most.
    package init(
        store: Store,
        memory: LeaderboardMemory,
        logger: Logger,
        now: @escaping @Sendable () -> Instant,
        copies: Int,
        open: @escaping @Sendable () async throws(FollowError) -> RollupStream
    ) {
        self.store = store
        self.memory = memory
        self.logger = logger
        self.now = now
        self.copies = max(1, copies)
        self.open = open
    }

    /// The lag of the standings at the last commit; nil while no stream is followed.
    package var streamLag: StreamLag? { memory.standings.areFollowed ? lag.withLock { $0 } : nil }

    package func run() async {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask { await self.follow() }
                group.addTask { await self.load() }
                group.addTask { await self.memory.commitBarrier.watch() }
                group.addTask { await self.memory.summaries.fill() }
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
            do throws(FollowError) { try await followOnce() } catch {
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
            try? await Task.sleep(for: backoff.next() * Double.random(in: 0.5...1))
        }
    }

    private func followOnce() async throws(FollowError) {
        let stream = try await open()
        let snapshot = try await stream.snapshot()
        let clock = ContinuousClock()
        let began = clock.now
        do throws(StoreError) { try await loadAll(from: snapshot) } catch { throw FollowError(error) }
        let rows = memory.standings.rowsCount
        let milliseconds = (clock.now - began) / .milliseconds(1)
        logger.info("standings are loaded", metadata: ["rows": "\(rows)", "milliseconds": "\(Int64(milliseconds))"])
        memory.boardCache.setFollowing(true)
        memory.summaries.setFollowing(true)
        // Once this marker comes back, the standings contain everything that was committed while they were loaded.
        let marker = memory.commitBarrier.begin()
        do throws(StoreError) { try await store.emit(marker.text) } catch { throw FollowError(error) }
        try await stream.follow(snapshot) { changes throws(FollowError) in try apply(changes) }
    }

    private func end() {
        memory.standings.end()
        memory.commitBarrier.end()
        memory.boardCache.setFollowing(false)
        memory.summaries.setFollowing(false)
    }

    /// Loads all time of every season that is being played.
    private func loadAll(from snapshot: RollupStream.Snapshot) async throws(StoreError) {
        let (boards, hidden) = try await store.snapshotHeader(in: snapshot)
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

    private func load(
        _ window: InMemoryWindow,
        _ reader: SnapshotReader,
        readAt position: UInt64
    ) async throws(StoreError) {
        var rows: RankedSetBuilder? = RankedSetBuilder()
        try await reader.rows(of: window.id.board, days: window.id.days) { orderKey, reachedAt, row in
            rows?.append(RankedRow(orderKey: orderKey, reachedAt: reachedAt.microsecondsSince1970, row: row))
        }
        if let rows = rows.take() { memory.standings.install(rows.finish(), in: window, readAt: position) }
    }

    private func apply(_ changes: CommittedChanges) throws(FollowError) {
        if changes.isReset { throw .emptied }
        for board in changes.boards {
            memory.standings.add(board)
        }
        if changes.invalidatesBoards { memory.boardCache.forget() }
        for player in changes.players {
            memory.summaries.forget(player.player)
            memory.standings.setHidden(player.player, player.isHidden)
        }
        memory.standings.apply(changes.rollups, committedAt: changes.position)
        let late = now().microsecondsSince1970 &- changes.committedAt.microsecondsSince1970
        lag.withLock { $0 = StreamLag(bytes: changes.bytesBehind, milliseconds: max(0, late / 1_000)) }
        for marker in changes.markers { memory.commitBarrier.saw(marker) }
    }

    /// Loads the windows that readers ask for. All that are wanted at one time are read from one snapshot.
    private func load() async {
        var backoff = Backoff(first: .milliseconds(50), longest: .seconds(5))
        while !Task.isCancelled {
            let windows = await memory.standings.wanted()
            do {
                if !windows.isEmpty { try await load(windows) }
                backoff.reset()
                continue
            } catch {
                for window in windows { memory.standings.drop(window) }
                logger.debug("a window could not be loaded", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: backoff.next())
        }
    }

    private func load(_ windows: [InMemoryWindow]) async throws {
        let stream = try await open()
        defer { stream.close() }
        let snapshot = try await stream.snapshot()
        try await load(windows, from: snapshot)
    }

    private func tidy() async {
        let clock = ContinuousClock()
        let began = clock.now
        while !Task.isCancelled {
            memory.standings.tidy(at: Int64((clock.now - began) / .seconds(1)))
            memory.summaries.forgetAgain()
            try? await Task.sleep(for: .seconds(1))
        }
    }
}

/// Hands out windows one by one to the tasks that load them.
private final class WindowQueue: Sendable {
    private let remaining: Mutex<ArraySlice<InMemoryWindow>>

    init(_ windows: [InMemoryWindow]) {
        remaining = Mutex(windows[...])
    }

    func next() -> InMemoryWindow? { remaining.withLock { $0.popFirst() } }
}

/// How far the standings are behind the database's commits.
package struct StreamLag: Sendable {
    /// WAL bytes not yet read at the last commit.
    package let bytes: UInt64
    /// The time from the last commit until it was applied, by the clocks of the database and this process.
    package let milliseconds: Int64
}

extension FollowError {
    /// The log line's text: what the loss of the stream means, and what to change.
    fileprivate var explanation: String {
        switch self {
        case .notLogical:
            """
            ranks come from SQL, which is slow with many players: wal_level is not logical. \
            Run 'alter system set wal_level = logical' and restart PostgreSQL
            """
        case .notAllowed:
            """
            ranks come from SQL, which is slow with many players: the login may not replicate. \
            Name one that may with --stream-url, such as causeboard_stream
            """
        case .noPublication:
            """
            ranks come from SQL, which is slow with many players: there is no publication causeboard. \
            Let a login that has CREATE on the database run 'causeboard migrate'
            """
        case .noSlot:
            """
            ranks come from SQL until there is a free replication slot: \
            raise max_replication_slots and max_wal_senders
            """
        case .busy:
            """
            ranks come from SQL until a transaction ends that has written and goes on: \
            see pg_stat_activity for the oldest xact_start
            """
        case .emptied: "very many rows of rankings were changed at once; standings are loaded again"
        case .lost:
            "ranks come from SQL until the database's stream is back"
        }
    }

    fileprivate var metadata: Logger.Metadata {
        if case .lost(let state) = self { ["sqlstate": "\(state)"] } else { [:] }
    }
}
