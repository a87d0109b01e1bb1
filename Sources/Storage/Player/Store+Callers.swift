package import Domain
package import FoundationEssentials
import Postgres

extension Store {
    /// - Parameter game: That the caller must belong to; nil for any.
    package func findCaller(_ caller: Caller, in game: Slug?) async throws(StoreError) -> FoundCaller {
        try await general { connection throws(PostgresError) in
            try await connection.row(CallerFind(caller: caller, game: game))
        }
    }

    /// - Returns: The game whose key this is; nil for one that is not known, or revoked.
    package func findGame(ofKey key: TokenHash) async throws(StoreError) -> Slug? {
        try await general { connection throws(PostgresError) in try await connection.firstRow(KeyGame(key: key)) }
    }

    /// What a player may see of itself, and what it gave to each charity.
    package func ownProfile(of player: Player.ID) async throws(StoreError) -> (
        profile: OwnProfile, donations: [DonationTotal]
    ) {
        let (profiles, donations) = try await general { connection throws(PostgresError) in
            try await connection.pipeline(
                OwnProfileRow(player: player),
                PlayerDonationTotals(player: player, withAnonymous: true)
            )
        }
        guard let profile = profiles.first else { throw .wrongRowCount }
        return (profile, donations)
    }

    /// What anybody may see of a player of any game; nil when there is none, or it is hidden.
    package func findPublicProfile(of player: Player.ID) async throws(StoreError) -> (
        profile: PublicProfile, bests: [Best], donations: [DonationTotal]
    )? {
        let (profiles, bests, donations) = try await general { connection throws(PostgresError) in
            try await connection.pipeline(
                PlayerProfile(player: player, game: nil),
                PlayerBests(player: player),
                PlayerDonationTotals(player: player, withAnonymous: false)
            )
        }
        return profiles.first.map { ($0, bests, donations) }
    }

    /// A player's own scores before a moment, the newest first.
    /// - Parameters:
    ///   - moment: Nil for the newest.
    ///   - limitRows: 1...101.
    package func scores(of player: Player.ID, before historyKey: HistoryKey?, limitRows: Int) async throws(StoreError)
        -> [PastScore]
    {
        try await general { connection throws(PostgresError) in
            try await connection.rows(
                PlayerScores(player: player, before: historyKey, rows: Int32(clamping: limitRows))
            )
        }
    }

    /// The nearest of a player's own scores after a moment, the oldest first.
    package func scores(of player: Player.ID, after historyKey: HistoryKey, limitRows: Int) async throws(StoreError)
        -> [PastScore]
    {
        try await general { connection throws(PostgresError) in
            try await connection.rows(
                PlayerScoresNewer(player: player, after: historyKey, rows: Int32(clamping: limitRows))
            )
        }
    }

    /// A player's own donations before a moment, the newest first.
    package func donations(of player: Player.ID, before historyKey: HistoryKey?, limitRows: Int)
        async throws(StoreError) -> [PastDonation]
    {
        try await general { connection throws(PostgresError) in
            try await connection.rows(
                PlayerDonations(player: player, before: historyKey, rows: Int32(clamping: limitRows))
            )
        }
    }

    /// The nearest of a player's own donations after a moment, the oldest first.
    package func donations(of player: Player.ID, after historyKey: HistoryKey, limitRows: Int) async throws(StoreError)
        -> [PastDonation]
    {
        try await general { connection throws(PostgresError) in
            try await connection.rows(
                PlayerDonationsNewer(player: player, after: historyKey, rows: Int32(clamping: limitRows))
            )
        }
    }

    /// - Returns: Nil when the player has no such score on that board, in whatever season.
    package func findScore(_ id: UUID, of player: Player.ID, on board: Slug, in game: Slug) async throws(StoreError)
        -> RecordedScore?
    {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(ScoreReceiptFind(player: player, id: id, game: game, board: board))
        }
    }

    /// - Returns: Nil when the player has given nothing to that charity under this id.
    package func findDonation(_ id: UUID, of player: Player.ID, to charity: Slug) async throws(StoreError)
        -> RecordedDonation?
    {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(DonationReceiptFind(player: player, id: id, charity: charity))
        }
    }
}

/// Whom a caller speaks for.
package enum FoundCaller: Sendable {
    case known(Player.ID)
    case unauthorized, forbidden, noPlayer
}

/// What must be known of a classic call before anything is done.
package struct ClassicCall: Sendable {
    package let game: Game
    /// Whom the device speaks for; nil when it is not known, or the call names none.
    package let player: Player.ID?
    /// The name that the call brings looks like a charity's.
    package let isNameRefused: Bool
}
