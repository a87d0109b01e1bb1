import Domain
import Storage
import Synchronization

/// The flags that players chose to show, as far as the stream has told; whether a game shows them, its boards say. Of a
/// few hundred bits a player, as those who are hidden or merged are known.
final class ShownFlags: Sendable {
    private let flags: Mutex<[Int64: CountryFlag]> = Mutex([:])
    private let isFollowed = Atomic(false)

    /// Whether the stream tells of changes.
    var areFollowed: Bool { isFollowed.load(ordering: .relaxed) }

    /// Begins with those of a snapshot.
    func begin(_ shown: [(player: Player.ID, flag: CountryFlag)], isFollowed: Bool) {
        self.isFollowed.store(isFollowed, ordering: .relaxed)
        let all = Dictionary(shown.map { ($0.player.rawValue, $0.flag) }) { first, _ in first }
        flags.withLock { $0 = all }
    }

    /// - Returns: The flag that the player showed before.
    func set(_ player: Int64, _ flag: CountryFlag?) -> CountryFlag? {
        flags.withLock { flags in
            let before = flags[player]
            if before != flag { flags[player] = flag }
            return before
        }
    }

    /// The flags of rows, in their order.
    func find(_ rows: some Sequence<Int64>) -> [CountryFlag?] {
        flags.withLock { flags in flags.isEmpty ? rows.map { _ in nil } : rows.map { flags[$0] } }
    }
}
