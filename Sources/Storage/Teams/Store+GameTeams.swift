package import Domain
import Postgres

// Teams that the server of a game makes, with its key.
extension Store {
    /// Makes or renames a team.
    /// - Parameter external: What the game's server calls it.
    package func putTeam(_ external: String, named name: PlayerName, in game: Slug, now: Instant)
        async throws(StoreError) -> (outcome: TeamOutcome, team: Team.ID?)
    {
        var found: (TeamOutcome, team: Team.ID?) = (.taken, nil)
        for _ in 0..<4 {
            let put = TeamPut(
                game: game, external: external, id: .random(), name: name.description,
                skeleton: name.skeleton.description, leetSkeleton: name.leetSkeleton.description, now: now)
            found = try await registering { connection throws(PostgresError) in try await connection.row(put) }
            // Another call may have made it just now.
            if found.0 != .taken { break }
        }
        return (found.0, found.team)
    }

    /// Puts a player into a team.
    /// - Returns: `joined`, `known`, or why not.
    package func place(_ player: Player.ID, in external: String, of game: Slug, now: Instant) async throws(StoreError)
        -> TeamOutcome
    {
        guard let team = try await findTeam(named: external, in: game) else { return .noTeam }
        return try await teaming([player]) { connection, survivors throws(PostgresError) in
            guard let player = survivors[player] else { return .noPlayer }
            _ = try await connection.rows(TeamsLock(teams: [team]))
            let outcome = try await connection.row(TeamPlaceJudge(player: player, team: team))
            guard outcome == .joined else { return outcome }
            try await connection.run(
                MemberAdd(player: player, team: team, isCaptain: false, today: now.dayInUTC, now: now))
            return outcome
        }
    }

    /// Takes a player out of a team. Nothing changes where it is not in it.
    package func remove(_ player: Player.ID, from external: String, of game: Slug, now: Instant)
        async throws(StoreError) -> TeamOutcome
    {
        guard let team = try await findTeam(named: external, in: game) else { return .noTeam }
        return try await teaming([player]) { connection, survivors throws(PostgresError) in
            guard let player = survivors[player] else { return .noPlayer }
            if try await connection.firstRow(TeamOwn(player: player))?.id == team {
                try await connection.leaveTeams(player, now: now)
            }
            return .known
        }
    }

    private func findTeam(named external: String, in game: Slug) async throws(StoreError) -> Team.ID? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(TeamExternalFind(game: game, external: external))
        }
    }
}
