import Concurrency
import Domain
import OrderStatistics

/// The players that a partial ranking covers, such as a player and its friends.
package struct MemberSet: Sendable, Equatable {
    /// Without duplicates, by ascending id.
    let players: [Int64]

    init(_ players: [Player.ID]) { self.players = Set(players.map(\.rawValue)).sorted() }

    /// The positions of the members that have a row, by id. O(k log n) for k members. It runs under the lock of the
    /// rows, so a set has fewer members than ``Limits/windowChangesMax``.
    func positions(in rows: borrowing RankedSet) -> [RankedPosition] {
        var found: [RankedPosition] = []
        found.reserveCapacity(players.count)
        for player in players { if let position = rows.rankedPosition(of: player) { found.append(position) } }
        return found
    }
}

extension MemberSet: CacheSized {
    /// The heap storage of the players, plus an entry of a dictionary that is a little over half full.
    package var bytesInCache: Int { 128 + 8 * players.count }
}
