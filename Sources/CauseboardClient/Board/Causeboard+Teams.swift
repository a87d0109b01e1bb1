public import Contract
import Foundation

// Teams. None of these calls is queued: the result is known when the call returns.
extension Causeboard {
    /// The player's team with its members; nil if the player is in no team. Only the captain sees the code.
    public func myTeam() async throws(CauseboardError) -> OwnTeam? {
        do throws(CauseboardError) {
            return try await session.send(Call("GET", Addresses.myTeam.path()), as: OwnTeam.self)
        } catch {
            if case .giveUp(let refusal) = error, refusal.problem == .notFound { return nil }
            throw error
        }
    }

    /// Makes a team, and the player its captain.
    /// - Parameter name: 1 to 32 characters, which everybody sees.
    /// - Throws: `.chooseAnotherName`; `.giveUp` with `inTeam` when the player is in another team, with `teamFull` when
    ///   the game has too many teams, and with `forbidden` when its players make no teams.
    @discardableResult public func makeTeam(named name: String) async throws(CauseboardError) -> TeamMembership {
        try await enterTeam(TeamEntry(make: name))
    }

    /// Joins a team. It succeeds if the player is in it already. After another team, the first day is tomorrow (UTC).
    /// - Parameter code: As the player typed it: in either case, with spaces and hyphens.
    /// - Throws: `.giveUp` with `codeRefused` when the code is wrong or was replaced, with `teamFull`, and with
    ///   `inTeam` when the player is in another team.
    @discardableResult public func joinTeam(code: String) async throws(CauseboardError) -> TeamMembership {
        try await enterTeam(TeamEntry(code: code))
    }

    /// Changes the team, for its captain: all of it, or nothing.
    /// - Parameters:
    ///   - name: 1 to 32 characters; nil leaves it.
    ///   - captain: The member who becomes the captain; nil for none.
    ///   - removed: The member who has to leave; nil for none.
    ///   - makesNewCode: Whether a new code replaces the former one. The reply has it.
    /// - Throws: `.chooseAnotherName`; `.giveUp` with `forbidden` when the player is not the captain, and with
    ///   `notFound` when there is no such member.
    @discardableResult public func changeTeam(
        name: String? = nil, captain: Int64? = nil, removing removed: Int64? = nil, makesNewCode: Bool = false
    ) async throws(CauseboardError) -> OwnTeam {
        var change = TeamChange()
        (change.name, change.captain, change.remove) = (name, captain, removed)
        change.code = makesNewCode ? "new" : nil
        return try await session.send(Call("PATCH", Addresses.myTeam.path(), json: change), as: OwnTeam.self)
    }

    /// Leaves the team at the end of the day (UTC). It succeeds if the player is in no team.
    public func leaveTeam() async throws(CauseboardError) {
        try await session.sendForNothing(Call("DELETE", Addresses.myTeam.path()))
    }

    /// A team as everybody sees it.
    /// - Parameter team: The id in a row or in ``myTeam()``.
    /// - Throws: `.giveUp` with `notFound` when the game has no such team.
    public func team(_ team: Int64) async throws(CauseboardError) -> Team {
        try await read(Addresses.team.path(game, String(team)), [])
    }

    /// Reports the name of a team to the operators.
    /// - Parameter team: The id in a row or in ``team(_:)``.
    public func reportTeam(_ team: Int64) async throws(CauseboardError) {
        let call = try Call("POST", Addresses.teamReport.path(game, String(team)), json: PlayerReport(why: .name))
        _ = try await session.send(call, as: ReportTaken.self)
    }

    private func enterTeam(_ entry: TeamEntry) async throws(CauseboardError) -> TeamMembership {
        try await session.send(Call("PUT", Addresses.myTeam.path(), json: entry), as: TeamMembership.self)
    }
}

// Rankings of teams, and among their members.
extension Causeboard {
    /// The teams of the game by the points of their members, best first.
    /// - Parameters:
    ///   - board: The board's slug.
    ///   - window: As of ``top(of:window:limit:after:country:)``.
    ///   - limit: 1 to 100 rows.
    ///   - cursor: The `next` of the page before; nil for the first.
    /// - Throws: `.giveUp` with `notFound` when the board ranks no teams.
    public func teamsTop(of board: String, window: String = "all", limit: Int = 10, after cursor: String? = nil)
        async throws(CauseboardError) -> TeamRanking
    {
        try Slug.check(board, "board")
        return try await page(Addresses.boardTeams.path(game, board, format: "json"), window, limit, cursor)
    }

    /// The teams of all games by what their members donated, best first. Anonymous donations do not count.
    /// - Parameters:
    ///   - charity: The charity's slug; nil for all charities together.
    ///   - window: As of ``top(of:window:limit:after:country:)``.
    ///   - limit: 1 to 100 rows.
    ///   - cursor: The `next` of the page before; nil for the first.
    public func contributorTeams(
        to charity: String? = nil, window: String = "all", limit: Int = 10, after cursor: String? = nil
    ) async throws(CauseboardError) -> TeamRanking {
        if let charity { try Slug.check(charity, "charity") }
        let path =
            charity.map { Addresses.charityTeams.path($0, format: "json") }
            ?? Addresses.contributorTeams.path(format: "json")
        return try await page(path, window, limit, cursor)
    }

    /// A board among the members of the player's team, best first. In each row, `rank` is the rank on the whole board,
    /// and `among` the rank in the team.
    /// - Parameters:
    ///   - board: The board's slug.
    ///   - window: As of ``top(of:window:limit:after:country:)``.
    ///   - limit: 1 to 100 rows.
    ///   - first: The position in the team at which the rows begin; nil for 1.
    /// - Throws: `.giveUp` with `notFound` when the player is in no team.
    public func myTeamTop(of board: String, window: String = "all", limit: Int = 10, from first: Int? = nil)
        async throws(CauseboardError) -> Ranking
    {
        try Slug.check(board, "board")
        let call = Call(
            Addresses.myTeamTop.path(game, board, format: "json"), query: Self.partialQuery(window, limit, first))
        return try await session.send(call, as: Ranking.self)
    }

    /// A board among the members of a team, where the game shows everybody who is in a team. Rows are as of
    /// ``myTeamTop(of:window:limit:from:)``.
    /// - Parameters:
    ///   - board: The board's slug.
    ///   - team: The team's id.
    ///   - window: As of ``top(of:window:limit:after:country:)``.
    ///   - limit: 1 to 100 rows.
    ///   - first: The position in the team at which the rows begin; nil for 1.
    /// - Throws: `.giveUp` with `notFound` when there is no such team, or the game does not show who is in it.
    public func top(of board: String, team: Int64, window: String = "all", limit: Int = 10, from first: Int? = nil)
        async throws(CauseboardError) -> Ranking
    {
        try Slug.check(board, "board")
        let query = Self.partialQuery(window, limit, first) + [("team", String(team))]
        return try await read(Addresses.boardTop.path(game, board, format: "json"), query)
    }
}
