import Domain
import Synchronization

/// The players who are hidden from all rankings, shared by all windows of one stream.
///
/// It is changed before the windows are told of the change. A window asks it under the window's own lock, so a window
/// that has asked too early is told afterwards.
final class HiddenPlayers: Sendable {
    private let players: Mutex<Set<Int64>>

    init(_ players: Set<Int64> = []) { self.players = Mutex(players) }

    var all: Set<Int64> { players.withLock { $0 } }

    /// - Parameter row: A player's id, or a negative number for an anonymous donation, which nobody's hiding hides.
    func contains(_ row: Int64) -> Bool { players.withLock { $0.contains(row) } }

    /// - Returns: Whether this changed anything.
    func set(_ player: Int64, _ isHidden: Bool) -> Bool {
        players.withLock { players in isHidden ? players.insert(player).inserted : players.remove(player) != nil }
    }
}

/// The players who were erased, as far as the stream has told. Their rows stay in rankings, and nobody finds them by
/// their ids.
final class ErasedPlayers: Sendable {
    private let players: Mutex<Set<Int64>> = Mutex([])

    /// Begins with those of a snapshot.
    func begin(_ erased: [Player.ID]) {
        let all = Set(erased.map(\.rawValue))
        players.withLock { $0 = all }
    }

    func add(_ player: Int64) { players.withLock { _ = $0.insert(player) } }

    func contains(_ player: Player.ID) -> Bool { players.withLock { $0.contains(player.rawValue) } }
}

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

    /// The player that a player is now: itself, or the one that it was merged into.
    func survivor(of player: Player.ID) -> Player.ID {
        survivors.withLock { $0[player.rawValue] }.map(Player.ID.init) ?? player
    }
}
