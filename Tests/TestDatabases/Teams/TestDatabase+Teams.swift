import Credentials
package import Domain
package import Storage

/// A player with a device.
package struct TeamPlayer: Sendable {
    package let id: Player.ID
    package let token: TokenHash

    package init(id: Player.ID, token: TokenHash) { (self.id, self.token) = (id, token) }
}

extension Instant {
    /// Noon of a day after ``noon``.
    package static func noon(after days: Int64) -> Instant { .noon.advanced(bySeconds: days * 86_400) }
}

extension TestDatabase {
    /// Turns teams on in the game `default`.
    package func setTeams(
        _ rules: TeamRules = .codes, size: Int32? = nil, rosters: TeamRosters? = nil, names: NameRules? = nil,
        refusing words: [String]? = nil
    ) async throws {
        var change = GameChange()
        (change.teams, change.teamSize, change.teamRosters, change.names) = (rules, size, rosters, names)
        change.refusedWords = words.map { RefusedWords($0.compactMap { RefusedWord($0) }) }
        let outcome = try await store.admin.setGame(.defaultGame, change, now: .noon)
        guard outcome == .set else { throw TestDatabaseError("teams: \(outcome)") }
    }

    package func teamPlayer(_ name: String) async throws -> TeamPlayer {
        let token = Token.generated(.device).hash
        let registration = Registration(name: try PlayerName(name, field: "name"), source: "test")
        guard
            case .registered(let player) = try await store.register(
                registration, device: device(of: name), in: .defaultGame, access: .token(token), now: .noon)
        else { throw TestDatabaseError("\(name) was not registered") }
        return TeamPlayer(id: player.id, token: token)
    }

    package func teamCode(at instant: Instant) -> @Sendable (Team.ID) -> CodeHash {
        { [secret] team in secret.hash(of: secret.teamCode(of: team, madeAt: instant), in: .defaultGame) }
    }

    @discardableResult package func makeTeam(_ name: String, by player: TeamPlayer, now: Instant = .noon) async throws
        -> TeamOutcome
    {
        try await store.makeTeam(
            PlayerName(name, field: "make"), by: player.id, with: player.token, now: now, code: teamCode(at: now))
    }

    /// Lets a player join the team of a captain by the captain's code.
    @discardableResult package func join(_ player: TeamPlayer, teamOf captain: TeamPlayer, now: Instant = .noon)
        async throws -> TeamOutcome
    {
        guard let team = try await store.team(of: captain.id), let made = team.codeMadeAt else { return .refused }
        return try await store.joinTeam(by: teamCode(at: made)(team.id), player.id, with: player.token, now: now)
    }

    @discardableResult package func changeTeam(
        by player: TeamPlayer, now: Instant = .noon, _ change: (inout TeamChange) throws -> Void
    ) async throws -> TeamOutcome {
        var asked = TeamChange()
        try change(&asked)
        return try await store.changeTeam(asked, by: player.id, with: player.token, now: now, code: teamCode(at: now))
    }

    /// The names of the players in a team, the captain first and marked.
    package func roster(of team: Team.ID) async throws -> [String] {
        try await store.roster(of: team, withUnlisted: true).map { $0.player.name + ($0.isCaptain ? "*" : "") }
    }

    /// The days of a player in teams, such as `Red 2026-11-20..2026-11-21`, without those who are one with it.
    package func days(of player: Player.ID) async throws -> [String] {
        try await owner.ask(
            """
            select t.name || ' ' || m.first_day || '..' || coalesce(m.last_day::text, '')
              from member m join team t on t.id = m.team_id where m.player_id = \(player.rawValue) order by m.first_day
            """)
    }
}
