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

    private let rowsMin: Int64
    private let keysMax: Int
    private let known = Mutex<Set<Key>>([])

    /// - Parameters:
    ///   - rowsMin: A history is long with more rows than that.
    ///   - keysMax: The most players on boards that are remembered; one more drops the others, of whom one post each is
    ///     read beside others' again.
    package init(rowsMin: Int64 = Limits.longHistoryRowsMin, keysMax: Int = Limits.longHistoriesMax) {
        self.rowsMin = rowsMin
        self.keysMax = keysMax
    }

    /// Whether many rows were looked through for the player's last new post to the board.
    func isLong(of player: Player.ID, on board: Board.ID) -> Bool {
        known.withLock { $0.contains(Key(player: player, board: board)) }
    }

    /// Takes note of how many rows were looked through for a new post of a player to a board.
    func note(_ rows: Int64, readOf player: Player.ID, on board: Board.ID) {
        let key = Key(player: player, board: board)
        known.withLock { known in
            guard rows > rowsMin else {
                known.remove(key)
                return
            }
            if known.count >= keysMax, !known.contains(key) { known.removeAll(keepingCapacity: true) }
            known.insert(key)
        }
    }
}
