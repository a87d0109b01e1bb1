import Concurrency
package import Domain
import OrderStatistics
import Storage

// Rankings of teams, by the points of their members.
extension Rankings {
    /// Consecutive rows of the ranking of teams on a board, best first.
    /// - Parameters:
    ///   - days: The window's days if a cursor has fixed them; nil resolves the window now.
    ///   - limitRows: 1...100.
    package func teamRanking(
        of board: Board, window: Window, days: ClosedRange<Day>?, pageRequest: PageRequest, limitRows: Int
    ) async throws -> TeamRanking {
        let days = days ?? window.days(today: board.today)
        var (page, members) = try await teamPage(
            of: board, days: days, pageRequest: pageRequest, limitRows: limitRows + 1)
        var ranks = Self.ranks(page, ties: board.ties)
        let shown = page.trim(to: limitRows, for: pageRequest)
        ranks.keep(shown.rows)
        members.keep(shown.rows)
        var span: Range<Instant>?
        if let days { span = try await boardCache.span(of: days, on: board) }
        let ranking = Ranking(
            board: board, window: window, days: days, span: span,
            isFinal: Self.isFinal(board, span: span, now: clock.now), size: page.size ?? 0, rows: page.rows,
            ranks: ranks, hasNext: shown.hasNext, hasPrevious: shown.hasPrevious)
        return TeamRanking(ranking, members: members)
    }

    /// The validator of a ranking of teams. It must be taken before the ranking is read.
    /// - Parameter before: The versions from before `board` was found.
    /// - Returns: Nil while the teams are not in memory.
    package func teamValidator(of board: Board, window: Window, days: ClosedRange<Day>?, since before: ReadVersions)
        async throws -> CacheValidator?
    {
        let days = days ?? window.days(today: board.today)
        guard standings.areCurrent, let teams = teams.window(of: board, days: days), !teams.isTooLarge,
            let version = teams.version
        else { return nil }
        var ends = [try await boardCache.span(of: board.today...board.today, on: board).upperBound]
        ends += [board.opensAt, board.closesAt].compactMap(\.self)
        if let days { ends.append(try await boardCache.span(of: days, on: board).upperBound) }
        return CacheValidator(
            watched: [.teams(teams, version)], before: before, until: Self.next(ends, after: before.at))
    }

    /// Drops what this process knows of teams that it has just changed, and of those of players who joined or left one.
    /// Others learn of it by the stream.
    package func forgetTeams(_ changed: [Team.ID], of players: [Player.ID] = []) { teams.note(changed, of: players) }

    private func teamPage(of board: Board, days: ClosedRange<Day>?, pageRequest: PageRequest, limitRows: Int)
        async throws -> (page: Page, members: [Int64])
    {
        if let page = try await teamPageInMemory(of: board, days: days, pageRequest: pageRequest, limitRows: limitRows)
        {
            return page
        }
        return try await inTurn { () async throws(StoreError) in
            try await store.teamPage(of: board.id, days: days, pageRequest: pageRequest, limitRows: limitRows)
        }
    }

    /// - Returns: Nil while SQL has to answer.
    private func teamPageInMemory(of board: Board, days: ClosedRange<Day>?, pageRequest: PageRequest, limitRows: Int)
        async throws -> (page: Page, members: [Int64])?
    {
        guard standings.areCurrent, let window = teams.window(of: board, days: days) else { return nil }
        if case .nothing = window.due().due {
        } else {
            try await window.reads.value(for: "") { try await readDue(of: window, board, days) }
        }
        let found = window.read { rows, members in
            let page = InMemoryPage(rows, pageRequest: pageRequest, limitRows: limitRows)
            return (page, page.rows.map { members[$0.row] ?? 0 })
        }
        guard let (page, members) = found else { return nil }
        let names = try await store.names(of: page.rows.map { Team.ID(rawValue: $0.row) })
        var rows: [Standing] = []
        for row in page.rows {
            // Whoever has no name would be shown as an erased player.
            guard let name = names[Team.ID(rawValue: row.row)] else { return nil }
            let points = board.lowestFirst ? Int128(row.orderKey) : 0 - Int128(row.orderKey)
            rows.append(
                Standing(
                    row: row.row, name: name, avatar: nil, points: points,
                    reachedAt: Instant(microsecondsSince1970: row.reachedAt), orderKey: Int128(row.orderKey)))
        }
        return (
            Page(
                rows: rows, position: rows.isEmpty ? nil : Int64(page.start) + 1,
                sharedPosition: rows.isEmpty ? nil : Int64(page.better) + 1, size: Int64(page.size)), members
        )
    }

    /// Reads what is marked of a window, all of it or some teams.
    private func readDue(of window: TeamWindow, _ board: Board, _ days: ClosedRange<Day>?) async throws {
        let (due, number) = window.due()
        // There are no posts after tomorrow in UTC in any zone.
        let last = board.today.advanced(byDays: 1)
        switch due {
        case .nothing: return
        case .all: try await readAll(of: window, board, days, at: number)
        case .teams(let marked):
            let first = max(days?.lowerBound ?? teams.firstDay, teams.firstDay)
            let daysCount = Int(min(days?.upperBound ?? last, last).daysSince1970) - Int(first.daysSince1970) + 1
            guard let batches = window.batches(of: marked, daysCount: max(daysCount, 1)) else {
                return try await readAll(of: window, board, days, at: number)
            }
            for some in batches {
                let tallies = try await inTurn { () async throws(StoreError) in
                    try await store.teamTallies(of: some, on: board.id, days: days, lastDay: last)
                }
                window.install(
                    TeamPoints.of(tallies, policy: board.policy, lowestFirst: board.lowestFirst, scoring: board.teams),
                    of: some, at: number)
            }
        }
    }

    private func readAll(of window: TeamWindow, _ board: Board, _ days: ClosedRange<Day>?, at number: UInt64)
        async throws
    {
        if window.isTooLarge { return }
        let rows = try await inTurn { () async throws(StoreError) in
            try await store.teamStandings(on: board.id, days: days, limitRows: Int64(Limits.teamRowsMax) + 1)
        }
        window.install(rows, at: number)
    }
}

// A board among the members of a team.
extension Rankings {
    /// The rows of the members of a player's team, best first, with the ranks of the whole board.
    /// - Parameters: As ``ranking(of:window:amongFriendsOf:from:limitRows:includesTotal:includesDetails:)``.
    /// - Returns: Nil when the player is in no team.
    package func ranking(
        of board: Board, window: Window, amongTeamOf player: Player.ID, from first: Int64, limitRows: Int,
        includesTotal: Bool, includesDetails: Bool = false
    ) async throws -> Ranking? {
        let player = try await survivor(of: player)
        let roster = try await turn(of: player) { () async throws(StoreError) -> [TeamMember]? in
            guard let team = try await store.team(of: player) else { return nil }
            return try await store.roster(of: team.id, withUnlisted: true)
        }
        guard let roster else { return nil }
        return try await ranking(
            of: board, window: window, among: MemberSet(roster.map(\.player.id) + [player]), .team, seenBy: player,
            from: first, limitRows: limitRows, includesTotal: includesTotal, includesDetails: includesDetails)
    }

    /// The same of a team that everybody may see.
    package func ranking(
        of board: Board, window: Window, amongTeam team: Team.ID, from first: Int64, limitRows: Int,
        includesTotal: Bool, includesDetails: Bool = false
    ) async throws -> Ranking {
        let roster = try await store.roster(of: team, withUnlisted: false)
        return try await ranking(
            of: board, window: window, among: MemberSet(roster.map(\.player.id)), .team, seenBy: nil, from: first,
            limitRows: limitRows, includesTotal: includesTotal, includesDetails: includesDetails)
    }
}
