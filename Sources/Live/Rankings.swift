import Avatars
package import Domain
package import Feeds
package import Storage

/// Every ranking as a feed, from the same rows in every format.
package struct Rankings: Sendable {
    private let store: Store
    private let clock: ServerClock

    package init(store: Store, clock: ServerClock) {
        self.store = store
        self.clock = clock
    }

    /// Who gave most, to one charity or to all; players of all games.
    /// - Parameters:
    ///   - charity: Nil for all.
    ///   - limitRows: 1...50.
    ///   - query: The request's, as the feed's links repeat it.
    /// - Returns: Nil when there is no such charity.
    package func topScores(
        charity: Slug?, window: Window, limitRows: Int, pictures: PictureMode, query: String, showsSize: Bool
    ) async throws(StoreError) -> Feed? {
        guard let board = try await store.findGivingBoard(charity ?? .overall, now: clock.now) else { return nil }
        let ranking = try await ranking(of: board, window: window, limitRows: limitRows, countsAll: showsSize)
        var embedded: [AvatarHash: [UInt8]] = [:]
        if pictures == .embed {
            embedded = try await store.avatars(Set(ranking.rows.compactMap(\.avatar))).mapValues { base64Encoded($0) }
        }
        return .topScores(ranking, embedded: pictures == .embed ? embedded : nil, query: query)
    }

    /// The best rows of a score board.
    /// - Parameter limitRows: 1...100.
    /// - Returns: Nil when there is no such game or board.
    package func top(of board: Slug, in game: Slug, window: Window, limitRows: Int, query: String, showsSize: Bool) async throws(StoreError)
        -> Feed?
    {
        guard let found = try await store.findBoard(board, in: game, now: clock.now) else { return nil }
        let ranking = try await ranking(of: found, window: window, limitRows: limitRows, countsAll: showsSize)
        return .boardTop(ranking, path: "/v1/games/\(game)/boards/\(board)/top", query: query)
    }

    /// The ten best posts of the classic board.
    package func highScores() async throws(StoreError) -> Feed {
        guard let board = try await store.findBoard(.highScores, in: .defaultGame, now: clock.now) else {
            return .highScores([], ties: .first)
        }
        return .highScores(try await store.bestPosts(of: board.id, limitRows: Limits.highScoresRowsMax), ties: board.ties)
    }

    /// Charities by points received, with goal and progress.
    /// - Parameter limitRows: 1...100.
    package func charities(limitRows: Int, query: String) async throws(StoreError) -> Feed {
        .charities(try await store.charities(limitRows: limitRows, now: clock.now), query: query)
    }

    private func ranking(of board: Board, window: Window, limitRows: Int, countsAll: Bool) async throws(StoreError) -> Ranking {
        let days = window.days(today: board.today)
        // One row more than is shown, to see whether the last one is tied.
        let rows = try await store.top(of: board, days: days, limitRows: limitRows + 1)
        let isWhole = rows.count <= limitRows
        let size: Int64? = if countsAll { isWhole ? Int64(rows.count) : try await store.size(of: board, days: days) } else { nil }
        var span: Range<Instant>?
        if let days { span = try await store.span(of: days, on: board) }
        return Ranking(
            board: board, window: window, span: span, isFinal: Self.isFinal(board, span: span, now: clock.now), size: size,
            rows: Array(rows.prefix(limitRows)),
            ranks: Ranks.fromTop(rows.map(\.points), limitRows: limitRows, ties: board.ties))
    }

    /// Nothing can change any more: the board has closed, or the window is over.
    private static func isFinal(_ board: Board, span: Range<Instant>?, now: Instant) -> Bool {
        if let closesAt = board.closesAt, closesAt <= now { return true }
        return span.map { $0.upperBound <= now } ?? false
    }
}
