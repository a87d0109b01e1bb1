package import Domain
import Postgres

// Players who enter campaigns.
extension Store {
    /// Lets the player of a device enter a campaign.
    package func enter(_ campaign: Slug, by player: Player.ID, with token: TokenHash, now: Instant)
        async throws(StoreError) -> CohortEntry
    {
        try await registering { connection throws(PostgresError) in
            try await connection.transaction { connection throws(PostgresError) in
                _ = try await connection.row(LockPatience())
                guard let survivors = try await connection.lockSurvivors(of: [player]) else {
                    return CohortEntry(outcome: .changed, place: nil)
                }
                _ = try await connection.rows(CampaignLock(slug: campaign))
                let entered = try await connection.row(
                    CohortEnter(token: token, player: survivors[player] ?? player, slug: campaign, now: now))
                guard let cohort = entered.cohort, let of = entered.of else {
                    return CohortEntry(outcome: entered.outcome, place: nil)
                }
                return CohortEntry(outcome: entered.outcome, place: (cohort, of))
            }
        }
    }

    /// The cohort of a player in a campaign, from 1, and how many players it has room for.
    /// - Returns: Nil when it has not entered.
    package func findCohort(of player: Player.ID, in campaign: Slug) async throws(StoreError) -> (
        cohort: Int32, of: Int32
    )? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(CohortFind(player: player, slug: campaign))
        }
    }

    /// The players of a player's cohort, itself included; empty if it has not entered the campaign.
    package func cohort(of player: Player.ID, in campaign: Slug) async throws(StoreError) -> [Player.ID] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(CohortRead(player: player, slug: campaign))
        }
    }

    /// A page of the campaigns that a player has entered, after a key or from the first one.
    package func exportedCohorts(of player: Player.ID, after key: ExportedCohort.Key?, limitRows: Int)
        async throws(StoreError) -> [ExportedCohort]
    {
        let query = CohortsExported(
            player: player, afterPlayer: key?.player ?? Player.ID(rawValue: 0),
            afterCampaign: key?.campaign.description ?? "", limitRows: Int32(clamping: limitRows))
        return try await general { connection throws(PostgresError) in try await connection.rows(query) }
    }
}

/// The result of entering a campaign.
package struct CohortEntry: Sendable {
    package let outcome: CohortOutcome
    /// The cohort, from 1, and how many players it has room for; nil if the player has not entered.
    package let place: (cohort: Int32, of: Int32)?
}

package enum CohortOutcome: String, Sendable {
    case entered
    /// The player had entered before.
    case known
    case noCampaign = "no-campaign"
    /// The campaign has no cohorts.
    case noCohorts = "no-cohorts"
    /// The campaign is over a board of another game.
    case otherGame = "other-game"
    case over
    /// No device has this token.
    case unauthorized
    /// The player was merged while the request waited for locks.
    case changed
}

extension CohortOutcome: PostgresValue {}

/// A campaign that a player has entered.
package struct ExportedCohort: Sendable {
    package struct Key: Sendable {
        /// The player itself, or one that was merged into it.
        package let player: Player.ID
        package let campaign: Slug
    }

    package let key: Key
    package let cohort: Int32
    /// How many players the cohort has room for.
    package let of: Int32
    package let enteredAt: Instant
}

extension ExportedCohort: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let key = Key(player: try row.next(), campaign: try row.next())
        self = try ExportedCohort(key: key, cohort: row.next(), of: row.next(), enteredAt: row.next())
    }
}
