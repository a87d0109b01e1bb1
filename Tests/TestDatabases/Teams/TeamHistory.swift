package import Domain
import Foundation
import Storage

/// What players and operators do to teams at random, in a database and in a ``TeamModel``.
package struct TeamHistory<Dice: RandomNumberGenerator & Sendable>: Sendable {
    package let database: TestDatabase
    package var dice: Dice
    package private(set) var model = TeamModel()
    package private(set) var boards: [Board] = []
    package private(set) var now = Instant.noon
    private var players: [TeamPlayer] = []
    private var scores: [(player: Player.ID, id: UUID, index: Int)] = []
    private var merges: [(action: UUID, player: Player.ID)] = []
    private var erased: Set<Player.ID> = []
    private var stepsCount = 0

    /// Adds four boards and ten players.
    package init(_ database: TestDatabase, _ dice: Dice) async throws {
        (self.database, self.dice) = (database, dice)
        try await database.setTeams(size: 4)
        for (slug, policy, lowestFirst, scoring) in [
            ("sums", Board.Policy.sum, false, TeamScoring.sum), ("best", .best, false, .best(2)),
            ("low", .best, true, .best(2)), ("last", .latest, false, .best(3)),
        ] {
            boards.append(
                try await database.addBoard(slug) { board in
                    (board.policy, board.lowestFirst, board.teams) = (policy, lowestFirst, scoring)
                })
            model.rules[slug] = .init(policy: policy, lowestFirst: lowestFirst, best: Int(scoring.count ?? 0))
        }
        for number in 0..<10 { players.append(try await database.teamPlayer("P\(number)")) }
    }

    /// The windows that are compared: all time, today, some days before, and some until today.
    package var windows: [ClosedRange<Day>?] {
        let today = now.dayInUTC
        return [
            nil, today...today, today.advanced(byDays: -3)...today.advanced(byDays: -1),
            today.advanced(byDays: -2)...today,
        ]
    }

    /// Does one thing, some minutes or hours after the one before.
    /// - Throws: When the database did not do what the model says.
    package mutating func step() async throws {
        stepsCount += 1
        now = now.advanced(bySeconds: Int64.random(in: 60...20_000, using: &dice))
        let player = players[Int.random(in: players.indices, using: &dice)]
        let other = players[Int.random(in: players.indices, using: &dice)]
        let id = model.survivor(of: player.id)
        if erased.contains(id) { return }
        switch Int.random(in: 0..<100, using: &dice) {
        case ..<45: try await post(by: id)
        case ..<56: try await make(player)
        case ..<72: try await join(player, other)
        case ..<80:
            try await database.store.leaveTeam(id, now: now)
            model.leave(id, on: now.dayInUTC)
        case ..<82: try await remove(player, other)
        case ..<86: try await void()
        case ..<90: try await merge(player, other)
        case ..<93: try await part()
        case ..<95: try await hide(id)
        case ..<97: try await erase(player, id)
        default: try await hideTeam(of: id)
        }
    }

    private mutating func post(by player: Player.ID) async throws {
        let slug = boards[Int.random(in: boards.indices, using: &dice)].slug
        let points = Int64.random(in: 1...20, using: &dice)
        let score = UUID()
        let receipt = try await database.post(points, by: player, on: slug, id: score, at: now)
        guard receipt.outcome == .recorded else { return }
        scores.append((player, score, model.posts.count))
        model.posts.append(.init(player: player, board: slug, day: now.dayInUTC, points: points, at: now))
    }

    private mutating func make(_ player: TeamPlayer) async throws {
        guard model.survivor(of: player.id) == player.id else { return }
        let outcome = try await database.makeTeam("Team \(stepsCount)", by: player, now: now)
        guard (outcome == .made) == (model.team(of: player.id) == nil) else {
            throw TestDatabaseError("a team was made: \(outcome)")
        }
        guard outcome == .made, let team = try await database.store.team(of: player.id) else { return }
        model.join(player.id, team.id, on: now.dayInUTC)
    }

    private mutating func join(_ player: TeamPlayer, _ other: TeamPlayer) async throws {
        guard model.survivor(of: player.id) == player.id, let team = model.team(of: model.survivor(of: other.id)),
            try await database.join(player, teamOf: other, now: now) == .joined
        else { return }
        model.join(player.id, team, on: now.dayInUTC)
    }

    private mutating func remove(_ captain: TeamPlayer, _ other: TeamPlayer) async throws {
        guard try await database.changeTeam(by: captain, now: now, { $0.removed = other.id }) == .known else { return }
        model.leave(model.survivor(of: other.id), on: now.dayInUTC)
    }

    private mutating func void() async throws {
        guard let score = scores.randomElement(using: &dice), model.posts[score.index].counts else { return }
        try await database.moderate(.void(score.player, score: score.id), at: now)
        model.posts[score.index].counts = false
    }

    private mutating func merge(_ player: TeamPlayer, _ other: TeamPlayer) async throws {
        let survivor = model.survivor(of: other.id)
        guard merges.count < 3, survivor != player.id, model.survivors[player.id] == nil,
            !model.survivors.values.contains(player.id), !erased.contains(survivor),
            model.hiddenPlayers.isDisjoint(with: [player.id, survivor])
        else { return }
        merges.append((try await database.moderate(.merge(player.id, into: survivor), at: now), player.id))
        if let one = model.team(of: player.id), let two = model.team(of: survivor), one != two {
            model.leave(player.id, on: now.dayInUTC)
        }
        model.survivors[player.id] = survivor
    }

    private mutating func part() async throws {
        guard let merge = merges.popLast(), let survivor = model.survivors[merge.player], !erased.contains(survivor)
        else { return }
        try await database.moderate(.undo(merge.action), at: now)
        model.survivors[merge.player] = nil
    }

    private mutating func hide(_ player: Player.ID) async throws {
        guard !model.survivors.values.contains(player), !model.hiddenPlayers.contains(player) else { return }
        try await database.moderate(.hide(player), at: now)
        model.hiddenPlayers.insert(player)
    }

    private mutating func erase(_ player: TeamPlayer, _ id: Player.ID) async throws {
        guard player.id == id, erased.count < 2, let number = players.firstIndex(where: { $0.id == id }) else { return }
        try await database.moderate(.erase(id, confirming: "P\(number)"), at: now)
        model.leave(id, on: now.dayInUTC)
        erased.insert(id)
    }

    private mutating func hideTeam(of player: Player.ID) async throws {
        guard let team = model.team(of: player), !model.hiddenTeams.contains(team) else { return }
        try await database.moderate(.hideTeam(team), at: now)
        model.hiddenTeams.insert(team)
    }

    /// The teams of a board by SQL.
    package func rows(_ board: Board, _ days: ClosedRange<Day>?) async throws -> [TeamModel.Row] {
        try await database.teamRows(board, days)
    }
}

extension TestDatabase {
    /// The first hundred teams of a board by SQL.
    package func teamRows(_ board: Board, _ days: ClosedRange<Day>? = nil) async throws -> [TeamModel.Row] {
        let (page, members) = try await store.teamPage(of: board.id, days: days, pageRequest: .top, limitRows: 101)
        return zip(page.rows, members).map { row, members in
            TeamModel.Row(
                team: Team.ID(rawValue: row.sortKey.row), points: row.points, reachedAt: row.reachedAt, members: members
            )
        }
    }
}
