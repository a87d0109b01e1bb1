package import Domain
import FoundationEssentials
import Postgres
import Statements

extension ExportedPlayer: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let own = try OwnProfile(row: &row)
        let (game, registeredAt): (String, Instant) = (try row.next(), try row.next())
        let (email, facebookID): (String?, String?) = (try row.next(), try row.next())
        let (since, source): (Instant?, String?) = (try row.next(), try row.next())
        let (isHidden, picture): (Bool, Bytes?) = (try row.next(), try row.next())
        self = ExportedPlayer(
            own: own, game: game, registeredAt: registeredAt, email: email, facebookID: facebookID, updatesSince: since,
            updatesSource: source, isHidden: isHidden, picture: picture?.bytes, voided: try row.next(),
            flagAt: try row.next())
    }
}

extension ExportedMember: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let (player, name): (Player.ID, String) = (try row.next(), try row.next())
        let (game, registeredAt): (String, Instant) = (try row.next(), try row.next())
        let country: String? = try row.next()
        let (email, facebookID): (String?, String?) = (try row.next(), try row.next())
        let wantsUpdates: Bool = try row.next()
        let (since, source): (Instant?, String?) = (try row.next(), try row.next())
        let picture: Bytes? = try row.next()
        self = ExportedMember(
            player: player, name: name, game: game, registeredAt: registeredAt, country: country, email: email,
            facebookID: facebookID, wantsUpdates: wantsUpdates, updatesSince: since, updatesSource: source,
            picture: picture?.bytes, flag: try row.next(), flagAt: try row.next())
    }
}

/// `export_reports.sql`
struct ExportReports: Query {
    static let sql = SQL.exportReports
    let reporter: Player.ID
    let after: ExportedReport.Key
    let rows: Int32
    var binds: Binds { [reporter, after.reportedAt, after.player, rows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> ExportedReport {
        let key = ExportedReport.Key(reportedAt: try row.next(), player: try row.next())
        return ExportedReport(key: key, why: try row.next(), words: try row.next(), isShown: try row.next())
    }
}

/// Everything that is kept of a player itself.
package struct ExportedPlayer: Sendable {
    package let own: OwnProfile
    package let game: String
    package let registeredAt: Instant
    package let email: String?
    package let facebookID: String?
    /// When, and by which route, the player asked for updates by e-mail.
    package let updatesSince: Instant?
    package let updatesSource: String?
    package let isHidden: Bool
    /// A PNG.
    package let picture: [UInt8]?
    package let voided: Int64
    /// When the player last chose a flag.
    package let flagAt: Instant?
    /// Those who are one with the player.
    package var members: [ExportedMember] = []
    package var identities: [OwnIdentity] = []
    package var memberships: [Membership] = []
}

/// What is kept of a player who is one with another one.
package struct ExportedMember: Sendable {
    package let player: Player.ID
    package let name: String
    package let game: String
    package let registeredAt: Instant
    package let country: String?
    package let email: String?
    package let facebookID: String?
    package let wantsUpdates: Bool
    package let updatesSince: Instant?
    package let updatesSource: String?
    /// A PNG.
    package let picture: [UInt8]?
    package let flag: CountryFlag?
    package let flagAt: Instant?
}

/// A code that no device has used; the code itself is not kept.
package struct UnusedCode: Sendable {
    package let kind: String
    package let madeAt: Instant
    /// Nil for never.
    package let expiresAt: Instant?
    /// Whether an operator asked for it.
    package let isOperators: Bool

    package func isGood(at now: Instant) -> Bool { expiresAt.map { now < $0 } ?? true }
}

package struct ExportedScore: Sendable {
    package let score: PastScore
    /// The name that a classic post came with.
    package let name: String?
    package let improved: Bool
    package let recordedAt: Instant
}

package struct ExportedDonation: Sendable {
    package let donation: PastDonation
    package let recordedAt: Instant
}

/// What a player has reported of another.
package struct ExportedReport: Sendable {
    package struct Key: Sendable {
        package let reportedAt: Instant
        /// Who was reported.
        package let player: Player.ID
    }

    package let key: Key
    package let why: String
    package let words: String?
    /// Whether everybody may see who was reported.
    package let isShown: Bool
}

// MARK: - Reading them

extension Store {
    /// Everything that is kept of a player itself and of those who are one with it, and its codes; nil when there is no
    /// such player.
    package func findExported(of player: Player.ID, now: Instant) async throws(StoreError) -> (
        ExportedPlayer, [UnusedCode]
    )? {
        let (players, codes, members, identities, memberships) = try await general { connection throws(PostgresError) in
            try await connection.pipeline(
                ExportPlayer(player: player, now: now), ExportCodes(player: player), ExportMembers(player: player),
                IdentitiesOwn(player: player), MembershipsExported(player: player))
        }
        guard var found = players.first else { return nil }
        (found.members, found.identities, found.memberships) = (members, identities, memberships)
        return (found, codes)
    }

    /// A player's scores, the oldest first; those after a key, or from the first one.
    package func exportedScores(of player: Player.ID, after key: HistoryKey?, limitRows: Int, now: Instant)
        async throws(StoreError) -> [ExportedScore]
    {
        let query = PlayerScores(player: player, side: .after(key), rows: Int32(clamping: limitRows), now: now)
        return try await general { connection throws(PostgresError) in try await connection.rows(query) }
    }

    /// A player's donations, the oldest first; those after a key, or from the first one.
    package func exportedDonations(of player: Player.ID, after key: HistoryKey?, limitRows: Int)
        async throws(StoreError) -> [ExportedDonation]
    {
        let query = PlayerDonations(player: player, side: .after(key), rows: Int32(clamping: limitRows))
        return try await general { connection throws(PostgresError) in try await connection.rows(query) }
    }

    /// What a player has reported, the oldest first; what comes after a key, or from the first one.
    package func reports(by player: Player.ID, after key: ExportedReport.Key?, limitRows: Int) async throws(StoreError)
        -> [ExportedReport]
    {
        let start = ExportedReport.Key(reportedAt: Instant(microsecondsSince1970: 0), player: Player.ID(rawValue: 0))
        let query = ExportReports(reporter: player, after: key ?? start, rows: Int32(clamping: limitRows))
        return try await general { connection throws(PostgresError) in try await connection.rows(query) }
    }
}
