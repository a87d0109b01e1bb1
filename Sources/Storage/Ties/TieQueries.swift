package import Domain
import Postgres

extension OwnTie.List: PostgresValue {}
extension TieOutcome: PostgresValue {}
extension EndedTie: PostgresValue {}

/// Which tie a player ends.
enum EndedTie: String {
    case yes
    case block
}

extension OwnTie: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try OwnTie(list: row.next(), other: PublicProfile(row: &row), at: row.next())
    }
}

extension ExportedTie: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let key = ExportedTie.Key(player: try row.next(), other: try row.next())
        self = ExportedTie(key: key, says: try row.next(), at: try row.next())
    }
}

/// The outcome of a change to a tie.
package enum TieOutcome: String, Sendable {
    case said
    /// The tie had this value before.
    case known
    /// The player has reached its limit of such ties.
    case full
    /// The code is refused.
    case refused
    /// The player's game does not allow it.
    case off
    case noPlayer = "no-player"
    /// The token is no longer of a device.
    case unauthorized
    /// One of the players was merged while this waited for the locks.
    case changed
}

/// A player's tie to another player.
package struct ExportedTie: Sendable {
    package struct Key: Sendable {
        /// The player itself, or one that was merged into it.
        package let player: Player.ID
        package let other: Player.ID
    }

    package let key: Key
    /// `yes`, `no` or `block`.
    package let says: String
    package let at: Instant
}
