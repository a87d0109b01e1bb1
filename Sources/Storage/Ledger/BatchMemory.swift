package import Domain
import Synchronization

/// A board as a batch has read it last: its rules, and the day in its zone.
package struct KnownBoard: Sendable {
    let rules: ScoreRules
    let day: Day
    /// When the day begins and ends.
    let span: Range<Instant>
    /// The version of the board's row: every change of it makes another one.
    let version: Int64
}

/// A charity as a batch has read it last, on the day of its board.
struct KnownCharity: Sendable {
    /// Its `anonymousRow` and `hasDonated` belong to the donation that read it, and nothing else uses them.
    let charity: CharityContext
    let span: Range<Instant>
    /// The versions of its row, and of those of the boards that a donation to it changes.
    let version: Int64
    let boards: [Board.ID: Int64]
}

/// What a player is known to have on a board; nil points when that is nothing.
struct KnownPlace: Sendable { let reached: PointsReached? }

/// What a process knows without a question to the database, by which batches are judged before they are sent.
///
/// It may be outdated. The statements that write a batch compare what it was judged by with the tables, so outdated
/// memory costs a second attempt and never makes a sum wrong.
package final class BatchMemory: Sendable {
    /// Where a player stands on a board for all time of its season.
    package enum Place: Sendable, Equatable {
        /// It is not known here.
        case unknown
        case none
        /// - Parameter orderKey: The points as a sort key: smaller is better.
        case at(orderKey: Int64, reachedAt: Instant)
    }

    private struct State {
        var boards: [BatchBoards.Name: KnownBoard] = [:]
        var charities: [CharityName: KnownCharity] = [:]
        /// Players for which memory was outdated, and until when they are judged under their locks.
        var misjudged: [Player.ID: Instant] = [:]
        /// The last batches that were judged from memory, and how many of these broke.
        var (judgedCount, brokenCount) = (0, 0)
        var pausedUntil: Instant?
    }

    private let place: @Sendable (Board.ID, Player.ID) -> Place
    private let state = Mutex(State())

    /// - Parameter place: Where a player stands. A player who is hidden is `unknown`.
    package init(place: @escaping @Sendable (Board.ID, Player.ID) -> Place) { self.place = place }

    /// Forgets which boards and charities there are, because one was added or changed.
    package func forget() { state.withLock { ($0.boards, $0.charities) = ([:], [:]) } }

    /// What a player has on a board.
    /// - Returns: Nil when it is not known here.
    func place(of player: Player.ID, on board: Board.ID, lowestFirst: Bool) -> KnownPlace? {
        switch place(board, player) {
        case .unknown: return nil
        case .none: return KnownPlace(reached: nil)
        case .at(let orderKey, let reachedAt):
            // `Int64.min` has no negative. No rollup holds it.
            guard orderKey > .min else { return nil }
            return KnownPlace(
                reached: PointsReached(points: lowestFirst ? orderKey : 0 - orderKey, reachedAt: reachedAt))
        }
    }

    /// Whether the charity had a cap when it was last read; false if it is not in memory.
    package func isCapped(_ charity: CharityName) -> Bool {
        state.withLock { $0.charities[charity].map { !$0.charity.caps.isEmpty } ?? false }
    }

    /// What is known for a batch; nil while judging from memory does not pay.
    func known(boards: [BatchBoards.Name], charities: [CharityName], players: [Player.ID], now: Instant) -> (
        boards: [KnownBoard], charities: [KnownCharity]
    )? {
        state.withLock { state in
            if let until = state.pausedUntil {
                if Self.isOver(until, Limits.judgingPauseSeconds, at: now) {
                    state.pausedUntil = nil
                } else {
                    return nil
                }
            }
            if !state.misjudged.isEmpty {
                for player in players {
                    guard let until = state.misjudged[player] else { continue }
                    guard Self.isOver(until, Limits.misjudgedSeconds, at: now) else { return nil }
                    state.misjudged[player] = nil
                }
            }
            let (found, charitiesFound) = (
                boards.compactMap { state.boards[$0] }, charities.compactMap { state.charities[$0] }
            )
            guard found.count == boards.count, charitiesFound.count == charities.count else { return nil }
            return (found, charitiesFound)
        }
    }

    /// Remembers what a batch has read, while no rule could change; nil where there is no board or charity.
    func remember(
        _ boards: some Sequence<(BatchBoards.Name, KnownBoard?)>,
        _ charities: some Sequence<(CharityName, KnownCharity?)>
    ) {
        state.withLock { state in
            for (name, board) in boards { Self.keep(board, name, in: &state.boards) }
            for (name, charity) in charities { Self.keep(charity, name, in: &state.charities) }
        }
    }

    private static func keep<Name, Known>(_ known: Known?, _ name: Name, in all: inout [Name: Known]) {
        if known != nil, all.count >= Limits.judgedBoardsMax, all[name] == nil { all = [:] }
        all[name] = known
    }

    /// Whether a time has come, or is further away than it can be because the clock was set back.
    private static func isOver(_ until: Instant, _ secondsMax: Int64, at now: Instant) -> Bool {
        now >= until || until > now.advanced(bySeconds: secondsMax)
    }

    /// Remembers players for which memory was outdated, or which another transaction had locked.
    func misjudged(_ players: [Player.ID], seconds: Int64 = Limits.misjudgedSeconds, now: Instant) {
        if players.isEmpty { return }
        let until = now.advanced(bySeconds: seconds)
        state.withLock { state in
            if state.misjudged.count + players.count > Limits.misjudgedPlayersMax {
                state.misjudged.removeAll(keepingCapacity: true)
            }
            for player in players.prefix(Limits.misjudgedPlayersMax) { state.misjudged[player] = until }
        }
    }

    /// A batch that was judged from memory was written, or broke because memory was wrong.
    func judged(isWritten: Bool, now: Instant) {
        state.withLock { state in
            state.judgedCount += 1
            if !isWritten { state.brokenCount += 1 }
            guard state.judgedCount >= Limits.judgedBatchesCounted else { return }
            if state.brokenCount * 3 >= state.judgedCount {
                state.pausedUntil = now.advanced(bySeconds: Limits.judgingPauseSeconds)
            }
            (state.judgedCount, state.brokenCount) = (0, 0)
        }
    }
}
