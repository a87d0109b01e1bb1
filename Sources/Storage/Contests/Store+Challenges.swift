package import Domain
package import FoundationEssentials
import Postgres

// Challenges between players. Each write locks the wallets of its players, and then the challenge.
extension Store {
    /// Makes a challenge of the player of a device to others.
    package func make(_ challenge: NewChallenge, by player: Player.ID, with token: TokenHash, now: Instant)
        async throws(StoreError) -> ChallengeOutcome
    {
        try await challenging(Set([player] + challenge.players)) { connection, survivors throws(PostgresError) in
            let others = Set(challenge.players.map { survivors[$0] ?? $0 })
            return try await connection.row(
                ChallengeMake(
                    token: token, player: survivors[player] ?? player, id: challenge.id, game: challenge.game,
                    board: challenge.board, days: challenge.days, others: others.sorted(), stake: challenge.stake,
                    charity: challenge.charity, now: now))
        }
    }

    /// Lets a player enter a challenge, or decline or leave it.
    /// - Parameters:
    ///   - enters: False to decline or leave.
    ///   - charity: Who gets the stakes if the player wins; nil keeps the one that it has named.
    package func answer(
        _ challenge: UUID, on board: Slug, in game: Slug, enters: Bool, charity: Slug?, by player: Player.ID,
        with token: TokenHash, now: Instant
    ) async throws(StoreError) -> ChallengeOutcome {
        try await challenging([player]) { connection, survivors throws(PostgresError) in
            _ = try await connection.rows(ChallengeShare(id: challenge))
            return try await connection.row(
                EntrySet(
                    token: token, player: survivors[player] ?? player, id: challenge, game: game, board: board,
                    enters: enters, charity: charity, now: now))
        }
    }

    /// - Returns: Nil when there is no such challenge on the board, or the player is not invited to it.
    package func findChallenge(_ id: UUID, on board: Slug, in game: Slug, for player: Player.ID, now: Instant)
        async throws(StoreError) -> Challenge?
    {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(ChallengeFind(player: player, id: id, game: game, board: board, now: now))
        }
    }

    /// Everybody who has an answer to a challenge: those with a row first, best first.
    /// - Parameter player: The player in whose own view scores count; nil for the public view.
    package func entrants(of challenge: UUID, asking player: Player.ID?, now: Instant) async throws(StoreError)
        -> [Entrant]
    {
        try await general { connection throws(PostgresError) in
            try await connection.rows(ChallengeEntrants(id: challenge, asking: player, now: now))
        }
    }

    /// The challenges that a player is or was invited to, newest first.
    /// - Parameters:
    ///   - state: Nil for all.
    ///   - key: When the one before the first was made, and its id; nil begins with the newest one.
    ///   - limitRows: 1...101.
    package func challenges(
        of player: Player.ID, in state: ChallengeState?, before key: HistoryKey?, limitRows: Int, now: Instant
    ) async throws(StoreError) -> [Challenge] {
        let query = ChallengesOwn(
            player: player, state: state?.rawValue, before: key?.reachedAt, beforeID: key?.id, now: now,
            limitRows: Int32(clamping: limitRows))
        return try await general { connection throws(PostgresError) in try await connection.rows(query) }
    }

    /// The challenges of a player by id: those after a key, or from the first one.
    package func exportedChallenges(of player: Player.ID, after key: ExportedChallenge.Key?, limitRows: Int)
        async throws(StoreError) -> [ExportedChallenge]
    {
        let query = ChallengesExported(
            player: player, afterPlayer: key?.player ?? Player.ID(rawValue: 0), afterContest: key?.challenge ?? .zero,
            limitRows: Int32(clamping: limitRows))
        return try await general { connection throws(PostgresError) in try await connection.rows(query) }
    }

    /// Runs a transaction about a challenge under the locks of players.
    /// - Parameter body: Receives who the players are by now.
    private func challenging(
        _ players: Set<Player.ID>,
        _ body: (Connection, [Player.ID: Player.ID]) async throws(PostgresError) -> ChallengeOutcome
    ) async throws(StoreError) -> ChallengeOutcome {
        try await registering { connection throws(PostgresError) in
            try await connection.transaction { connection throws(PostgresError) in
                _ = try await connection.row(LockPatience())
                guard let survivors = try await connection.lockSurvivors(of: players) else { return .changed }
                return try await body(connection, survivors)
            }
        }
    }
}

extension UUID {
    /// Before every other one.
    static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
