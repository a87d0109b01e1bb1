package import Domain
package import FoundationEssentials
import Postgres

extension Store {
    /// - Parameter game: That the caller must belong to; nil for any.
    package func findCaller(_ caller: Caller, in game: Slug?) async throws(StoreError) -> FoundCaller {
        try await general { connection throws(PostgresError) in try await connection.row(CallerFind(caller: caller, game: game)) }
    }

    /// - Returns: The game whose key this is; nil for one that is not known, or revoked.
    package func findGame(ofKey key: TokenHash) async throws(StoreError) -> Slug? {
        try await general { connection throws(PostgresError) in try await connection.firstRow(KeyGame(key: key)) }
    }

    /// What a player may see of itself, and what it gave to each charity.
    package func ownProfile(of player: Player.ID) async throws(StoreError) -> (profile: OwnProfile, gifts: [GiftTotal]) {
        let (profiles, gifts) = try await general { connection throws(PostgresError) in
            try await connection.pipeline(OwnProfileRow(player: player), PlayerGifts(player: player, withAnonymous: true))
        }
        guard let profile = profiles.first else { throw .wrongRowCount }
        return (profile, gifts)
    }

    /// What anybody may see of a player of any game; nil when there is none, or it is hidden.
    package func findPublicProfile(of player: Player.ID) async throws(StoreError) -> (
        profile: PublicProfile, bests: [Best], gifts: [GiftTotal]
    )? {
        let (profiles, bests, gifts) = try await general { connection throws(PostgresError) in
            try await connection.pipeline(
                PlayerProfile(player: player, game: nil), PlayerBests(player: player), PlayerGifts(player: player, withAnonymous: false))
        }
        return profiles.first.map { ($0, bests, gifts) }
    }

    /// A player's own scores before a moment, the newest first.
    /// - Parameters:
    ///   - moment: Nil for the newest.
    ///   - limitRows: 1...101.
    package func scores(of player: Player.ID, before moment: Moment?, limitRows: Int) async throws(StoreError) -> [PastScore] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(PlayerScores(player: player, before: moment, rows: Int32(clamping: limitRows)))
        }
    }

    /// The nearest of a player's own scores after a moment, the oldest first.
    package func scores(of player: Player.ID, after moment: Moment, limitRows: Int) async throws(StoreError) -> [PastScore] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(PlayerScoresNewer(player: player, after: moment, rows: Int32(clamping: limitRows)))
        }
    }

    /// A player's own gifts before a moment, the newest first.
    package func gifts(of player: Player.ID, before moment: Moment?, limitRows: Int) async throws(StoreError) -> [PastGift] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(PlayerDonations(player: player, before: moment, rows: Int32(clamping: limitRows)))
        }
    }

    /// The nearest of a player's own gifts after a moment, the oldest first.
    package func gifts(of player: Player.ID, after moment: Moment, limitRows: Int) async throws(StoreError) -> [PastGift] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(PlayerDonationsNewer(player: player, after: moment, rows: Int32(clamping: limitRows)))
        }
    }

    /// - Returns: Nil when the player has no such score on that board, in whatever season.
    package func findScore(_ id: UUID, of player: Player.ID, on board: Slug, in game: Slug) async throws(StoreError) -> KeptScore? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(ScoreReceiptFind(player: player, id: id, game: game, board: board))
        }
    }

    /// - Returns: Nil when the player has given nothing to that charity under this id.
    package func findGift(_ id: UUID, of player: Player.ID, to charity: Slug) async throws(StoreError) -> KeptGift? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(GiftReceiptFind(player: player, id: id, charity: charity))
        }
    }
}
