import Domain
import Synchronization

/// Remembers of whom many rows were looked through for one post to a board, so that the next ones are committed apart,
/// where nobody else's post waits for that. A board makes it so whose earning looks back: at what the player has earned
/// that day, at its best score, or, in the classic protocol, at its equal scores.
package final class LongHistories: Sendable {
    private struct Key: Hashable {
        let player: Player.ID
        let board: Board.ID
    }

    /// Those of a time. The old ones are dropped when there are too many young ones.
    private struct Generations {
        var young: Set<Key> = []
        var old: Set<Key> = []
    }

    private let rowsMin: Int64
    private let keysMax: Int
    private let state = Mutex(Generations())

    /// - Parameters:
    ///   - rowsMin: A history is long with more rows than that.
    ///   - keysMax: The most players on boards of each of two generations.
    package init(rowsMin: Int64 = Limits.longHistoryRowsMin, keysMax: Int = Limits.longHistoriesMax) {
        self.rowsMin = rowsMin
        self.keysMax = keysMax
    }

    /// Whether many rows were looked through for the player's last new post to the board.
    func isLong(of player: Player.ID, on board: Board.ID) -> Bool {
        let key = Key(player: player, board: board)
        return state.withLock { $0.young.contains(key) || $0.old.contains(key) }
    }

    /// Takes note of how many rows were looked through for a new post of a player to a board.
    func note(_ rows: Int64, readOf player: Player.ID, on board: Board.ID) {
        let key = Key(player: player, board: board)
        state.withLock { state in
            guard rows > rowsMin else {
                state.young.remove(key)
                state.old.remove(key)
                return
            }
            if state.young.contains(key) { return }
            if state.young.count >= keysMax { (state.old, state.young) = (state.young, []) }
            state.young.insert(key)
        }
    }
}
