import Concurrency
package import Domain
import Postgres

// Teams and who is in them. Each write locks the wallets of the players first, then the team.
extension Store {
    /// Makes a team of the player of a token, who becomes its captain.
    /// - Parameter code: Makes the hash of the code of the team with this id.
    package func makeTeam(
        _ name: PlayerName, by player: Player.ID, with token: TokenHash, now: Instant,
        code: @Sendable (Team.ID) -> CodeHash
    ) async throws(StoreError) -> TeamOutcome {
        try await teaming([player]) { connection, survivors throws(PostgresError) in
            let player = survivors[player] ?? player
            for _ in 0..<Self.teamIDAttemptsMax {
                let make = TeamMake(
                    token: token, player: player, team: .random(), name: name.description,
                    skeleton: name.skeleton.description, leetSkeleton: name.leetSkeleton.description, now: now)
                let outcome = try await connection.row(make)
                if outcome == .taken { continue }
                guard outcome == .made else { return outcome }
                try await connection.run(
                    MemberAdd(player: player, team: make.team, isCaptain: true, today: now.dayInUTC, now: now))
                try await connection.run(TeamCodeMake(token: token, code: code(make.team), now: now))
                return outcome
            }
            return .taken
        }
    }

    /// How often another random id is tried.
    private static let teamIDAttemptsMax = 4

    /// Lets the player of a token join the team of a code.
    package func joinTeam(by code: CodeHash, _ player: Player.ID, with token: TokenHash, now: Instant)
        async throws(StoreError) -> TeamOutcome
    {
        let found = try await general { connection throws(PostgresError) in
            try await connection.firstRow(TeamCodeFind(code: code, now: now))
        }
        guard let captain = found?.captain, let team = found?.team else { return .refused }
        return try await teaming([player]) { connection, survivors throws(PostgresError) in
            let player = survivors[player] ?? player
            _ = try await connection.rows(TeamsLock(teams: [team]))
            let judge = TeamJoinJudge(token: token, player: player, team: team, code: code, captain: captain, now: now)
            let outcome = try await connection.row(judge)
            guard outcome == .joined else { return outcome }
            try await connection.run(
                MemberAdd(player: player, team: team, isCaptain: false, today: now.dayInUTC, now: now))
            return outcome
        }
    }

    /// Lets a player leave the team that it is in. Nothing changes where it is in none.
    package func leaveTeam(_ player: Player.ID, now: Instant) async throws(StoreError) {
        _ = try await teaming([player]) { connection, survivors throws(PostgresError) in
            try await connection.leaveTeams(survivors[player] ?? player, now: now)
            return .known
        }
    }

    /// Does what the captain of a team asks for, or nothing of it.
    /// - Parameter code: Makes the hash of the code of the team with this id.
    /// - Returns: The first outcome that is no success, or `known`.
    package func changeTeam(
        _ change: TeamChange, by captain: Player.ID, with token: TokenHash, now: Instant,
        code: @Sendable (Team.ID) -> CodeHash
    ) async throws(StoreError) -> TeamOutcome {
        let others = [change.captain, change.removed].compactMap(\.self)
        return try await teaming(Set([captain] + others)) { connection, survivors throws(PostgresError) in
            guard let device = try await connection.firstRow(DeviceOfToken(token: token)) else { return .unauthorized }
            let captain = survivors[captain] ?? captain
            guard device.player == captain else { return .changed }
            guard let found = try await connection.firstRow(TeamOwn(player: captain)) else { return .noTeam }
            _ = try await connection.rows(TeamsLock(teams: [found.id]))
            // Who is captain may have changed before the lock was had.
            guard try await connection.firstRow(TeamOwn(player: captain))?.isCaptain == true else { return .forbidden }
            if let name = change.name {
                let rename = TeamRename(
                    team: found.id, name: name.description, skeleton: name.skeleton.description,
                    leetSkeleton: name.leetSkeleton.description, now: now)
                let outcome = try await connection.row(rename)
                guard outcome == .renamed || outcome == .known else { return outcome }
            }
            if let removed = change.removed {
                let removed = survivors[removed] ?? removed
                guard removed != captain, try await connection.firstRow(TeamOwn(player: removed))?.id == found.id else {
                    return .noPlayer
                }
                try await connection.leaveTeams(removed, now: now)
            }
            if change.makesCode { try await connection.run(TeamCodeMake(token: token, code: code(found.id), now: now)) }
            if let heir = change.captain {
                let handOver = TeamHandOver(team: found.id, captain: captain, heir: survivors[heir] ?? heir)
                if try await connection.row(handOver) == .noPlayer { return .noPlayer }
            }
            return .known
        }
    }

    /// The team that a player is in.
    package func team(of player: Player.ID) async throws(StoreError) -> OwnTeam? {
        try await general { connection throws(PostgresError) in try await connection.firstRow(TeamOwn(player: player)) }
    }

    /// The team that a player is in, where everybody may see that.
    package func shownTeam(of player: Player.ID) async throws(StoreError) -> (id: Team.ID, name: String)? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(TeamShown(player: player)).map { ($0.id, $0.name) }
        }
    }

    /// The players who are in a team, the captain first.
    /// - Parameter withUnlisted: Whether those with an unlisted profile are among them, as their members see.
    package func roster(of team: Team.ID, withUnlisted: Bool) async throws(StoreError) -> [TeamMember] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(TeamRoster(team: team, withUnlisted: withUnlisted))
        }
    }

    /// - Returns: Nil when there is no such team, it is hidden, or the game has no teams.
    /// - Parameter withHidden: Whether a hidden one is found, as the game's server does.
    package func findTeam(_ team: Team.ID, in game: Slug, withHidden: Bool = false) async throws(StoreError) -> Team? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(TeamFind(game: game, team: team, withHidden: withHidden))
        }
    }

    /// Keeps that a player reports the name of a team.
    /// - Parameter source: The number of the reporter's network.
    /// - Returns: Whether the player has reported it before; nil when there is no such team.
    package func reportTeam(_ team: Team.ID, in game: Slug, by reporter: Player.ID, from source: Int64?, now: Instant)
        async throws(StoreError) -> Bool?
    {
        try await registering { connection throws(PostgresError) in
            try await connection.firstRow(
                TeamReportAdd(game: game, team: team, reporter: reporter, now: now, source: source))
        }
    }

    /// The teams whose names a player has reported, by id: those after a key, or from the first one.
    package func exportedTeamReports(of player: Player.ID, after key: ExportedTeamReport.Key?, limitRows: Int)
        async throws(StoreError) -> [ExportedTeamReport]
    {
        let query = TeamReportsExported(
            player: player, afterTeam: key?.team ?? Team.ID(rawValue: 0),
            afterReporter: key?.reporter ?? Player.ID(rawValue: 0), limitRows: Int32(clamping: limitRows))
        return try await general { connection throws(PostgresError) in try await connection.rows(query) }
    }

    /// Runs a transaction about who is in teams, under the locks of players.
    /// - Parameter body: Receives who the players are by now. What it has written is kept only with an outcome that is
    ///   a success.
    func teaming(
        _ players: Set<Player.ID>,
        _ body: (Connection, [Player.ID: Player.ID]) async throws(PostgresError) -> TeamOutcome
    ) async throws(StoreError) -> TeamOutcome {
        try await registrations.run { () async throws(StoreError) in
            do throws(TeamRollback) {
                return try await ledgerPool.withConnection { connection throws(TeamRollback) in
                    try await connection.transaction { connection throws(TeamRollback) in
                        let outcome = try await TeamRollback.failing { () throws(PostgresError) in
                            _ = try await connection.row(LockPatience())
                            guard let survivors = try await connection.lockSurvivors(of: players) else {
                                return TeamOutcome.changed
                            }
                            return try await body(connection, survivors)
                        }
                        guard outcome.isSuccess else { throw .answered(outcome) }
                        return outcome
                    }
                }
            } catch {
                switch error {
                case .answered(let outcome): return outcome
                case .failed(let error): throw failure(error)
                }
            }
        }
    }
}

extension Connection {
    /// Lets a player and those who are one with it leave their teams. Their wallets are locked.
    func leaveTeams(_ player: Player.ID, now: Instant) async throws(PostgresError) {
        try await leaveTeams(of: try await rows(MembersFind(survivor: player)), now: now)
    }

    /// - Parameter players: Those who are one, all of them or some.
    func leaveTeams(of players: [Player.ID], now: Instant) async throws(PostgresError) {
        let teams = try await rows(TeamsOfFind(players: players))
        guard !teams.isEmpty else { return }
        _ = try await rows(TeamsLock(teams: teams))
        try await run(TeamLeave(players: players, today: now.dayInUTC, now: now))
    }
}

extension TeamOutcome {
    /// Whether what was asked for is so now.
    fileprivate var isSuccess: Bool {
        switch self {
        case .made, .joined, .renamed, .handedOver, .known: true
        default: false
        }
    }
}

/// Why a transaction about teams is rolled back.
private enum TeamRollback: PostgresErrorConvertible {
    case failed(PostgresError)
    /// It is answered without a change.
    case answered(TeamOutcome)

    init(_ error: PostgresError) { self = .failed(error) }

    static func failing<Value>(_ body: () async throws(PostgresError) -> Value) async throws(TeamRollback) -> Value {
        do throws(PostgresError) { return try await body() } catch { throw .failed(error) }
    }
}
