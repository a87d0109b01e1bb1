package import Domain
import Postgres

extension Team.ID: PostgresValue {}
extension TeamOutcome: PostgresValue {}

extension Team: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try Team(
            id: row.next(), name: row.next(), membersCount: row.next(), madeAt: row.next(), closedAt: row.next(),
            showsRoster: row.next())
    }
}

extension OwnTeam: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try OwnTeam(
            id: row.next(), name: row.next(), isCaptain: row.next(), firstDay: row.next(), codeMadeAt: row.next())
    }
}

extension TeamMember: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try TeamMember(player: PublicProfile(row: &row), isCaptain: row.next())
    }
}

extension Membership: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try Membership(
            team: row.next(), name: row.next(), firstDay: row.next(), lastDay: row.next(), isCaptain: row.next())
    }
}

extension ExportedTeamReport: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let key = ExportedTeamReport.Key(team: try row.next(), reporter: try row.next())
        self = ExportedTeamReport(key: key, reportedAt: try row.next())
    }
}

/// That a player has reported the name of a team.
package struct ExportedTeamReport: Sendable {
    package struct Key: Sendable {
        package let team: Team.ID
        /// The player itself, or one that was merged into it.
        package let reporter: Player.ID
    }

    package let key: Key
    package let reportedAt: Instant
}

/// What became of a change of a team or of who is in it.
package enum TeamOutcome: String, Sendable {
    case made, joined, renamed
    case handedOver = "handed-over"
    /// It was so before.
    case known
    /// The player is in another team.
    case inTeam = "in-team"
    /// The team has as many members as it may have.
    case full
    /// The game has as many teams as it may have.
    case noRoom = "no-room"
    /// By this code nobody joins a team.
    case refused
    case nameRefused = "name-refused"
    /// The game has no teams, or its players do not make them.
    case off
    case noGame = "no-game"
    case noTeam = "no-team"
    /// There is no such player, or it is not in the team.
    case noPlayer = "no-player"
    /// Only the captain may do that.
    case forbidden
    /// The token is no device's any more.
    case unauthorized
    /// The player was merged while locks were waited for, so it is another one now.
    case changed
    /// Another team has the random id.
    case taken
}
