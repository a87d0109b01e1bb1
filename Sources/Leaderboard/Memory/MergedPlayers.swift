import Domain
import Synchronization

/// The players who are one with another player, as far as the stream has told.
final class MergedPlayers: Sendable {
    private let survivors: Mutex<[Int64: Int64]> = Mutex([:])

    /// Begins with those of a snapshot.
    func begin(_ merged: [(player: Player.ID, survivor: Player.ID)]) {
        let all = Dictionary(merged.map { ($0.player.rawValue, $0.survivor.rawValue) }) { first, _ in first }
        survivors.withLock { $0 = all }
    }

    /// - Parameter survivor: Nil when the player is its own again.
    func set(_ player: Int64, _ survivor: Int64?) { survivors.withLock { $0[player] = survivor } }

    /// Whom a player is by now.
    func survivor(of player: Player.ID) -> Player.ID {
        survivors.withLock { $0[player.rawValue] }.map(Player.ID.init) ?? player
    }
}
