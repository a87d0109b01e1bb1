package import Domain
package import FoundationEssentials
import Postgres

extension Store {
    /// Finds the player whom a caller speaks for.
    /// - Parameter game: The game that the caller must belong to; nil for any.
    package func findCaller(_ caller: Caller, in game: Slug?, now: Instant) async throws(StoreError) -> FoundCaller {
        try await general { connection throws(PostgresError) in
            try await connection.row(CallerFind(caller: caller, game: game, now: now))
        }
    }

    /// Finds the game that a key belongs to.
    /// - Returns: Nil for a key that is unknown, revoked or beyond its end.
    package func findGame(ofKey key: TokenHash, now: Instant) async throws(StoreError) -> Slug? {
        try await findKey(key, now: now)?.game
    }

    /// The game of a key, and what the key may do; nil for one that is not known, revoked or beyond its end.
    package func findKey(_ key: TokenHash, now: Instant) async throws(StoreError) -> (game: Slug, scopes: KeyScopes)? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(KeyGame(key: key, now: now))
        }
    }

    /// The profile that players see of themselves, their donations to each charity, anonymous ones included, what their
    /// slots have, and how many awards they have.
    package func ownProfile(of player: Player.ID, now: Instant) async throws(StoreError) -> (
        profile: OwnProfile, donations: [DonationTotal], saves: [SaveVersion], awards: (count: Int64, newest: Slug?)
    ) {
        let since = now.advanced(bySeconds: -Limits.challengeNoticeDays * 86_400)
        let (profiles, donations, saves, challenges, awards) = try await general { connection throws(PostgresError) in
            try await connection.pipeline(
                OwnProfileRow(player: player, now: now), PlayerDonationTotals(player: player, withAnonymous: true),
                SavesOwn(player: player), ChallengeNotices(player: player, since: since, now: now),
                AwardsOwnCount(player: player))
        }
        guard var profile = profiles.first, let awards = awards.first else { throw .wrongRowCount }
        profile.challenges = challenges
        return (profile, donations, saves, awards)
    }

    /// The public profile of a player of any game, without anonymous donations. Nil when there is no such player, or
    /// the player is hidden or unlisted.
    package func findPublicProfile(of player: Player.ID) async throws(StoreError) -> (
        profile: PublicProfile, bests: [Best], donations: [DonationTotal], awards: [GivenAward]
    )? {
        let (profiles, bests, donations, awards) = try await general { connection throws(PostgresError) in
            try await connection.pipeline(
                PlayerProfile(player: player, game: nil, withUnlisted: false), PlayerBests(player: player),
                PlayerDonationTotals(player: player, withAnonymous: false), AwardsShown(player: player))
        }
        return profiles.first.map { ($0, bests, donations, awards) }
    }

    /// The game of a player; nil when there is no such player, or the player is hidden or unlisted.
    package func findGame(of player: Player.ID) async throws(StoreError) -> (slug: Slug, name: String)? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(PlayerGame(player: player))
        }
    }

    /// A player's scores before a point in their history, newest first.
    /// - Parameters:
    ///   - historyKey: The point; nil for the newest scores.
    ///   - limitRows: 1...101.
    package func scores(of player: Player.ID, before historyKey: HistoryKey?, limitRows: Int, now: Instant)
        async throws(StoreError) -> [PastScore]
    { try await scores(of: player, .before(historyKey), limitRows: limitRows, now: now) }

    /// A player's scores after a point in their history, nearest first, which means oldest first.
    package func scores(of player: Player.ID, after historyKey: HistoryKey, limitRows: Int, now: Instant)
        async throws(StoreError) -> [PastScore]
    { try await scores(of: player, .after(historyKey), limitRows: limitRows, now: now) }

    private func scores(of player: Player.ID, _ side: HistorySide, limitRows: Int, now: Instant)
        async throws(StoreError) -> [PastScore]
    {
        let query = PlayerScores(player: player, side: side, rows: Int32(clamping: limitRows), now: now)
        return try await longRead { connection throws(PostgresError) in try await connection.rows(query) }.map(\.score)
    }

    /// A player's donations before a point in their history, newest first. A nil key asks for the newest ones.
    package func donations(of player: Player.ID, before historyKey: HistoryKey?, limitRows: Int)
        async throws(StoreError) -> [PastDonation]
    { try await donations(of: player, .before(historyKey), limitRows: limitRows) }

    /// A player's donations after a point in their history, nearest first, which means oldest first.
    package func donations(of player: Player.ID, after historyKey: HistoryKey, limitRows: Int) async throws(StoreError)
        -> [PastDonation]
    { try await donations(of: player, .after(historyKey), limitRows: limitRows) }

    private func donations(of player: Player.ID, _ side: HistorySide, limitRows: Int) async throws(StoreError)
        -> [PastDonation]
    {
        let query = PlayerDonations(player: player, side: side, rows: Int32(clamping: limitRows))
        return try await longRead { connection throws(PostgresError) in try await connection.rows(query) }.map(
            \.donation)
    }

    /// Finds a recorded score by the client's id.
    /// - Returns: Nil when the player has no such score on that board, in any season.
    package func findScore(_ id: UUID, of player: Player.ID, on board: Slug, in game: Slug, now: Instant)
        async throws(StoreError) -> RecordedScore?
    {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(ScoreReceiptFind(player: player, id: id, game: game, board: board, now: now))
        }
    }

    /// Finds a recorded donation by the client's id.
    /// - Returns: Nil when the player has made no donation to that charity under this id.
    package func findDonation(_ id: UUID, of player: Player.ID, to charity: Slug, now: Instant) async throws(StoreError)
        -> RecordedDonation?
    {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(DonationReceiptFind(player: player, id: id, charity: charity, now: now))
        }
    }
}

/// The player whom a caller speaks for, or why there is none.
package enum FoundCaller: Sendable {
    /// - Parameter own: The player before a merge, else the same. Ids are looked for among its ledger rows first.
    case known(Player.ID, own: Player.ID)
    case unauthorized, forbidden, noPlayer
}

/// What the server looks up before it handles a classic call.
package struct ClassicCall: Sendable {
    package let game: Game
    /// The player of the device; nil when the device is unknown or has a token of its own, or the call names none.
    package let player: Player.ID?
    /// Whether the name in the call looks like a charity's and is not already the player's.
    package let isNameRefused: Bool
}
