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
