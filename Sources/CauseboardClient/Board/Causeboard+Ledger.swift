public import Contract
import Foundation

extension Causeboard {
    /// Posts a score. When this returns it is on the device's disk and on its own board; it is sent as soon as it can
    /// be, also when the game was ended meanwhile.
    /// - Parameters:
    ///   - points: Within the board's bounds, or the server refuses it.
    ///   - board: The board's slug.
    ///   - detail: What the game sends along, such as the car or the build: at most 1,024 bytes of JSON. The player
    ///     sees it, and everybody does if the board's `details` are public.
    /// - Returns: The post; its id asks ``settlement(of:)`` for what became of it.
    /// - Throws: `.queueFull`, `.storage`, or `.giveUp` when the board's name cannot be one or the detail is too long.
    @discardableResult public func post(_ points: Int64, to board: String, detail: Detail? = nil)
        async throws(CauseboardError) -> PendingWrite
    {
        try Slug.check(board, "board")
        let playedAt = session.connection.clock.now
        let write = try PendingWrite.score(points, game: game, board: board, playedAt: playedAt, detail: detail)
        try await outbox.add(write)
        await show(write, on: board)
        return write
    }

    /// Puts a post on the device's own board.
    func show(_ write: PendingWrite, on board: String) async {
        let name = await session.identity?.name ?? ""
        let entry = LocalEntry(id: write.id, name: name, points: write.points, playedAt: write.queuedAt)
        // The post is safe already: a board that cannot be written now is set right at the next start.
        _ = try? await boards.insert(entry, into: board)
        // It may have been answered before it was on the board.
        let state = await outbox.state(of: write.id)
        if state != .pending { try? await boards.settle(write.id, in: board, as: state) }
    }

    /// Donates points that the player earned. When this returns it is on the device's disk; it is sent after the posts
    /// that were made before it.
    /// - Parameters:
    ///   - points: At least 1.
    ///   - charity: The charity's slug.
    ///   - anonymously: Whether rankings leave the player's name out.
    /// - Throws: `.queueFull`, `.storage`, or `.giveUp` when there are no points or the charity's name cannot be one.
    @discardableResult public func donate(_ points: Int64, to charity: String, anonymously: Bool = false)
        async throws(CauseboardError) -> PendingWrite
    {
        try Slug.check(charity, "charity")
        guard points > 0 else { throw .giveUp(.field, "A donation is at least one point.") }
        let write = try PendingWrite.donation(points, charity: charity, anonymous: anonymously)
        try await outbox.add(write)
        return write
    }

    /// What waits, what was refused, and why nothing is sent, at this moment.
    public var queue: OutboxStatus { get async { await outbox.status } }

    /// Watches the queue: first how it is now, then whatever happens. It ends when this object is closed.
    public func watchQueue() async -> AsyncStream<OutboxEvent> { await outbox.watch() }

    /// Waits until the server has answered a post or a donation for good.
    /// - Returns: Nil when this object is closed or the task is cancelled meanwhile, and for what was sent before this
    ///   object was made.
    public func settlement(of write: PendingWrite) async -> Settlement? { await outbox.settlement(of: write.id) }

    /// Tries everything again now, also what was set aside; for when the network is back, or the player has signed in.
    public func resume() async {
        await outbox.resume()
        await live.restart()
    }

    /// Forgets a refused post or donation that the game has dealt with.
    public func dismiss(_ refused: RefusedWrite) async throws(CauseboardError) { try await outbox.dismiss(refused.id) }
}
