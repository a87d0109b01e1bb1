import Domain
import Storage
import Synchronization

/// Boards by the address that names them. An entry is kept while the stream reports changes, and until the board's day
/// ends.
final class BoardCache: Sendable {
    private struct Known {
        let board: Board
        /// The first instant after the board's day.
        let until: Instant
    }

    private struct State {
        var isFollowing = false
        var boards: [Rankings.Subject: Known] = [:]
        /// When ranges of days begin and end. A board's zone is fixed, so these stay valid from day to day.
        var spans: [InMemoryWindow.ID: Range<Instant>] = [:]
    }

    private let store: Store
    private let freshness: StreamFreshness
    private let batches: BatchMemory
    private let state = Mutex(State())
    private let changesCount = Atomic<UInt64>(0)
    private let changed = Mutex((now: false, before: false))

    /// - Parameters:
    ///   - freshness: While the stream is late nothing is taken from the cache.
    ///   - batches: Forgets what it knows of boards whenever the cache does.
    init(store: Store, freshness: StreamFreshness, batches: BatchMemory) {
        self.store = store
        self.freshness = freshness
        self.batches = batches
    }

    /// Increases with every change of a board or a charity.
    var version: UInt64 { changesCount.load(ordering: .acquiring) }

    /// - Returns: Nil when there is no such game, board, season or charity.
    func findBoard(_ subject: Rankings.Subject, now: Instant) async throws(StoreError) -> Board? {
        if freshness.isFresh(), let known = state.withLock({ $0.boards[subject] }), now < known.until {
            return known.board
        }
        let version = version
        let found =
            switch subject {
            case .score(let game, let board, let season):
                try await store.findBoard(board, in: game, season: season, now: now)
            case .charity(let slug): try await store.findDonationBoard(slug, now: now)
            case .contributors: try await store.findDonationBoard(.overall, now: now)
            }
        guard let board = found, state.withLock({ $0.isFollowing }) else { return found }
        let until = try await span(of: board.today...board.today, on: board).upperBound
        state.withLock { state in
            guard state.isFollowing, version == self.version else { return }
            if state.boards.count >= Limits.boardsKnownMax { state.boards = [:] }
            state.boards[subject] = Known(board: board, until: until)
        }
        return board
    }

    /// When a range of days begins and ends in the board's zone.
    func span(of days: ClosedRange<Day>, on board: Board) async throws(StoreError) -> Range<Instant> {
        let id = InMemoryWindow.ID(board: board.id, days: days)
        if let span = state.withLock({ $0.spans[id] }) { return span }
        let version = version
        let span = try await store.span(of: days, on: board)
        state.withLock { state in
            guard state.isFollowing, version == self.version else { return }
            if state.spans.count >= Limits.boardsKnownMax { state.spans = [:] }
            state.spans[id] = span
        }
        return span
    }

    /// Starts or stops caching, as the stream begins or ceases to report changes; drops everything either way.
    func setFollowing(_ isFollowing: Bool) {
        forget()
        state.withLock { $0.isFollowing = isFollowing }
    }

    /// Invalidates everything, because a board or a charity has changed, now and once more a little later: see
    /// ``forgetAgain()``.
    func forget() {
        changed.withLock { $0.now = true }
        forgetAll()
    }

    /// Invalidates everything again after a change between the last two calls; the follower calls it each second.
    ///
    /// A commit is in the stream a moment before other transactions see it. A read in between finds the former board,
    /// and without this it would be kept.
    func forgetAgain() {
        let isDue = changed.withLock { changed in
            defer { changed = (now: false, before: changed.now) }
            return changed.before
        }
        if isDue { forgetAll() }
    }

    private func forgetAll() {
        changesCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
        batches.forget()
        state.withLock { state in
            state.boards = [:]
            state.spans = [:]
        }
    }
}
