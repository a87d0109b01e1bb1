public import Contract
import Foundation

extension Causeboard {
    /// The best of a board, best first.
    /// - Parameters:
    ///   - board: The board's slug.
    ///   - window: `all`, `today`, `yesterday`, `week`, `month`, or one of the others of the contract.
    ///   - limit: 1 to 100 rows.
    ///   - cursor: The `next` of the page before; nil for the first.
    ///   - country: Only players who show the flag of this country or one of its regions (`DE`), or of this region
    ///     (`DE-BE`). In each row, `rank` is the rank on the whole board, and `among` the rank among them.
    /// - Throws: `.giveUp` with `notFound` for a country in a game without flags.
    public func top(
        of board: String, window: String = "all", limit: Int = 10, after cursor: String? = nil, country: String? = nil
    ) async throws(CauseboardError) -> Ranking {
        try Slug.check(board, "board")
        let path = Addresses.boardTop.path(game, board, format: "json")
        return try await page(path, window, limit, cursor, [("country", country)])
    }

    /// Countries by the points of their best players, or the regions of one country, best first.
    /// - Parameters:
    ///   - board: The board's slug.
    ///   - country: The country whose regions are ranked, such as `DE`; nil ranks countries.
    ///   - window: As of ``top(of:window:limit:after:country:)``.
    ///   - limit: 1 to 100 rows.
    ///   - cursor: The `next` of the page before; nil for the first.
    /// - Throws: `.giveUp` with `notFound` when the board ranks no countries.
    public func countriesTop(
        of board: String, in country: String? = nil, window: String = "all", limit: Int = 10,
        after cursor: String? = nil
    ) async throws(CauseboardError) -> CountryRanking {
        try Slug.check(board, "board")
        let path = Addresses.countriesTop.path(game, board, format: "json")
        return try await page(path, window, limit, cursor, [("of", country)])
    }

    /// The rows around the player's own, 1 to 100 in all.
    public func around(of board: String, limit: Int = 5) async throws(CauseboardError) -> Ranking {
        try Slug.check(board, "board")
        let path = Addresses.aroundMe.path(game, board, format: "json")
        return try await session.send(Call(path, query: [("limit", String(limit))]), as: Ranking.self)
    }

    /// Where the player is on a board; without a rank when it has no score there.
    public func rank(on board: String) async throws(CauseboardError) -> RankPosition {
        try Slug.check(board, "board")
        return try await session.send(Call("GET", Addresses.myPosition.path(game, board)), as: RankPosition.self)
    }

    /// The rank that a post of these points would get now.
    public func rank(of points: Int64, on board: String) async throws(CauseboardError) -> PointsPosition {
        try Slug.check(board, "board")
        return try await read(Addresses.rankOfPoints.path(game, board), [("points", String(points))])
    }

    /// The settings of a board.
    public func settings(of board: String) async throws(CauseboardError) -> BoardSettings {
        try Slug.check(board, "board")
        return try await read(Addresses.board.path(game, board), [])
    }

    /// The charities by what they received, most first.
    public func charities(limit: Int = 50) async throws(CauseboardError) -> CharityRanking {
        try await read(Addresses.charities.path(format: "json"), [("limit", String(limit))])
    }

    /// Who donated most to a charity, or to all of them.
    /// - Parameters:
    ///   - charity: The charity's slug; nil for all together.
    ///   - limit: 1 to 100 rows.
    public func contributors(to charity: String? = nil, limit: Int = 10) async throws(CauseboardError) -> Ranking {
        if let charity { try Slug.check(charity, "charity") }
        let path =
            charity.map { Addresses.charityTop.path($0, format: "json") }
            ?? Addresses.contributorsTop.path(format: "json")
        return try await read(path, [("limit", String(limit))])
    }

    /// The device's own board, which needs no network: what was posted here, best first.
    public func localBoard(_ board: String) async throws(CauseboardError) -> LocalBoard {
        try Slug.check(board, "board")
        return try await boards.board(board)
    }

    /// The best of a board as they will probably be when everything that waits is sent.
    /// - Parameters:
    ///   - board: The board's slug.
    ///   - limit: 1 to 100 rows.
    ///   - settings: The board's, as ``settings(of:)`` answered them; nil asks for them.
    public func topWithPending(of board: String, limit: Int = 10, settings: BoardSettings? = nil)
        async throws(CauseboardError) -> [MergedRow]
    {
        let known: BoardSettings = if let settings { settings } else { try await self.settings(of: board) }
        // What is sent between the two is in the ranking, and not pending any more.
        let pending = await pendingEntries(board)
        let ranking = try await top(of: board, limit: limit)
        let still = Set(await outbox.status.pending.map(\.id))
        return ranking.merged(
            with: pending.filter { still.contains($0.id) }, player: await player?.id, order: known.order,
            policy: known.policy)
    }

    /// What was posted to a board and the server has not answered, in the order in which it was played.
    private func pendingEntries(_ board: String) async -> [LocalEntry] {
        let name = await session.identity?.name ?? ""
        return await outbox.status.pending.filter { $0.kind == .score(board: board) }.map {
            LocalEntry(id: $0.id, name: name, points: $0.points, playedAt: $0.queuedAt)
        }
    }

    /// A page of a public ranking.
    func page<Reply: Decodable & Sendable>(
        _ path: String, _ window: String, _ limit: Int, _ cursor: String?, _ more: [(String, String?)] = []
    ) async throws(CauseboardError) -> Reply {
        try await read(path, [("window", window), ("limit", String(limit)), ("after", cursor)] + more)
    }

    func read<Reply: Decodable & Sendable>(_ path: String, _ query: [(String, String?)]) async throws(CauseboardError)
        -> Reply
    { try Session.reply(to: await session.connection.send(Call(path, query: query)), as: Reply.self) }
}
