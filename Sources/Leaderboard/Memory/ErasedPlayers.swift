import Domain
import Synchronization

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
