import Domain
import Synchronization

/// Remembers the players of whom many rows were looked through for one post, so that their next ones are committed
/// apart, where nobody else's post waits for that. A board makes it so whose earning looks back: at what the player has
/// earned that day, at its best score, or, in the classic protocol, at its equal scores.
package final class LongHistories: Sendable {
    /// The players of a time. The old ones are dropped when there are too many young ones.
    private struct Generations {
        var young: Set<Player.ID> = []
        var old: Set<Player.ID> = []
    }

    private let playersMax: Int
    private let state = Mutex(Generations())

    /// - Parameter playersMax: The most players of each of two generations.
    package init(playersMax: Int = Limits.longHistoriesMax) {
        self.playersMax = playersMax
    }

    /// Whether the player's last post of this kind had many rows looked through.
    func isLong(of player: Player.ID) -> Bool {
        state.withLock { $0.young.contains(player) || $0.old.contains(player) }
    }

    /// Takes note of how many rows were looked through for a post of a player.
    func note(_ rows: Int64, readOf player: Player.ID) {
        state.withLock { state in
            guard rows > Limits.longHistoryRowsMin else {
                state.young.remove(player)
                state.old.remove(player)
                return
            }
            if state.young.contains(player) { return }
            if state.young.count >= playersMax { (state.old, state.young) = (state.young, []) }
            state.young.insert(player)
        }
    }
}
