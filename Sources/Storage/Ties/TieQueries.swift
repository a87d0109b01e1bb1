package import Domain
import Postgres

extension OwnTie.List: PostgresValue {}
extension TieOutcome: PostgresValue {}

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

/// What became of something that a player said of another.
package enum TieOutcome: String, Sendable {
    case said
    /// It was so before.
    case known
    /// The player has as many such ties as it may have.
    case full
    /// The code makes nobody a friend.
    case refused
    /// The player's game does not have that.
    case off
    case noPlayer = "no-player"
    /// The token is no device's any more.
    case unauthorized
    /// One of them was merged while the locks were waited for, so it is another player now.
    case changed
}

/// What a player says of another one.
package struct ExportedTie: Sendable {
    package struct Key: Sendable {
        /// The player itself, or one that was merged with it.
        package let player: Player.ID
        package let other: Player.ID
    }

    package let key: Key
    /// `yes`, `no` or `block`.
    package let says: String
    package let at: Instant
}
