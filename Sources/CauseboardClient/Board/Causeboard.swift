import Contract
public import Foundation

/// A game's boards on a Causeboard server: one player, this device, and the queue of what it has to send.
///
/// Posts and donations are kept on the device before the call returns, and are sent when the server can be reached.
public final class Causeboard: Sendable {
    public let server: URL
    /// The game's slug.
    public let game: String

    let session: Session
    let outbox: Outbox
    let boards: LocalBoards
    let storage: Storage
    let clock: MonotonicClock
    let backoff: Backoff
    let live: LiveProfile

    /// Opens what this device keeps of the game, and begins to send what waits. It needs no network.
    /// - Parameters:
    ///   - server: The server's address, such as `https://scores.example.org`.
    ///   - game: The game's slug.
    ///   - options: What a game may choose.
    /// - Throws: `.storage` when the files cannot be read, or when the game is open already.
    public init(server: URL, game: String, options: Options = Options()) async throws(CauseboardError) {
        guard let scheme = server.scheme?.lowercased(), ["http", "https"].contains(scheme), server.host != nil else {
            throw .giveUp(nil, "The server's address begins with https:// or http:// and has a host.")
        }
        try Slug.check(game, "game")
        (self.server, self.game, clock, backoff) = (server, game, options.clock, options.backoff)
        storage = try Storage(server, game: game, options)
        let journal = try Journal(storage.directory.appendingPathComponent("outbox"))
        let contents = try journal.load()
        let boards = try LocalBoards(
            storage.directory.appendingPathComponent("boards"), options.localBoards,
            pending: Set(contents.pending.map(\.id)), refused: Set(contents.refused.map(\.id)),
            isJournalWhole: contents.damagedLines == 0)
        self.boards = boards
        session = try Session(
            Connection(
                server, ServerClock(options.clock), options.sessionConfiguration, answerTime: options.answerTime),
            storage.secrets, game: game)
        live = LiveProfile(ProfileWatch(session: session, clock: options.clock, backoff: options.backoff))
        outbox = Outbox(session, journal, contents, clock: options.clock, backoff: options.backoff) {
            write, settlement in
            guard case .score(let board) = write.kind else { return true }
            let state: LocalEntry.State = if case .refused = settlement { .refused } else { .sent }
            // What it cannot note now it learns from the journal at the next start.
            return (try? await boards.settle(write.id, in: board, as: state)) != nil
        }
        await reconcile(contents)
        await outbox.start()
    }

    /// Stops sending and lets the same game be opened again. What waits stays on the device. Without it the same
    /// happens a moment after nobody holds this object any more.
    public func close() async {
        await live.close()
        await outbox.close()
    }

    /// After a crash the device's boards may be behind the journal. A disk that is full keeps no game from starting.
    private func reconcile(_ contents: Journal.Contents) async {
        let name = await session.identity?.name ?? ""
        for write in contents.pending {
            guard case .score(let board) = write.kind else { continue }
            let entry = LocalEntry(id: write.id, name: name, points: write.points, playedAt: write.queuedAt)
            _ = try? await boards.insert(entry, into: board)
        }
    }
}

/// The names of games, boards and charities in paths.
enum Slug {
    /// - Throws: `.giveUp` unless it is one.
    static func check(_ text: String, _ what: String) throws(CauseboardError) {
        let isSlug =
            (1...63).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "-")
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
        guard isSlug else {
            throw .giveUp(.malformed, "The \(what) \(text) is no slug: small letters, digits and hyphens, 1 to 63.")
        }
    }
}
