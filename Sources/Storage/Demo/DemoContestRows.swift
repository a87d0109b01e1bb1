package import Domain
package import FoundationEssentials
import Postgres

/// Challenges, plans and granted awards of players that are loaded already.
package struct DemoContestRows: Sendable {
    struct Challenges: Sendable {
        var ids: [UUID] = []
        var makers: [Int64] = []
        var boards: [Int32] = []
        var firstDays: [Day] = []
        var lastDays: [Day] = []
        var stakes: [Int64] = []
        var madeAt: [Instant] = []
    }

    struct Entries: Sendable {
        var players: [Int64] = []
        var contests: [UUID] = []
        var states: [String] = []
        var charities: [Int32?] = []
        var at: [Instant] = []
    }

    struct Plans: Sendable {
        var players: [Int64] = []
        var firsts: [Int32] = []
        var seconds: [Int32?] = []
        var shares: [Int32] = []
        var every: [String] = []
        var keeps: [Int64] = []
        var parts: [Int64] = []
    }

    struct Granted: Sendable {
        var awards: [String] = []
        var players: [Int64] = []
        var parts: [Int64] = []
    }

    private(set) var challenges = Challenges()
    private(set) var entries = Entries()
    private(set) var plans = Plans()
    private(set) var granted = Granted()
    /// The challenges to settle.
    private(set) var over: [UUID] = []

    package init() {}

    package var challengesCount: Int { challenges.ids.count }
    package var plansCount: Int { plans.players.count }

    package mutating func addChallenge(
        _ id: UUID, by maker: Player.ID, on board: Board.ID, days: ClosedRange<Day>, stake: Int64, isOver: Bool,
        at madeAt: Instant
    ) {
        challenges.ids.append(id)
        challenges.makers.append(maker.rawValue)
        challenges.boards.append(board.rawValue)
        challenges.firstDays.append(days.lowerBound)
        challenges.lastDays.append(days.upperBound)
        challenges.stakes.append(stake)
        challenges.madeAt.append(madeAt)
        if isOver { over.append(id) }
    }

    /// Adds an answer to the challenge that was added last.
    /// - Parameter charity: The charity that gets the stakes if the player wins; nil without a stake.
    package mutating func addEntry(_ player: Player.ID, _ answer: ChallengeAnswer, charity: Int32?, at: Instant) {
        guard let challenge = challenges.ids.last else { return }
        entries.players.append(player.rawValue)
        entries.contests.append(challenge)
        entries.states.append(answer.rawValue)
        entries.charities.append(charity)
        entries.at.append(at)
    }

    /// - Parameters:
    ///   - second: Another charity, whose slug comes after that of the first; nil for none.
    ///   - share: The first charity's share of 100.
    ///   - part: When it was made: 0..<``DemoRows/parts``.
    package mutating func addPlan(
        of player: Player.ID, first: Int32, second: Int32?, share: Int32, every: PlanInterval, keep: Int64, part: Int64
    ) {
        plans.players.append(player.rawValue)
        plans.firsts.append(first)
        plans.seconds.append(second)
        plans.shares.append(share)
        plans.every.append(every.rawValue)
        plans.keeps.append(keep)
        plans.parts.append(part)
    }

    /// - Parameter part: When it was granted: 0..<``DemoRows/parts``.
    package mutating func addGranted(_ award: Slug, to player: Player.ID, part: Int64) {
        granted.awards.append(award.description)
        granted.players.append(player.rawValue)
        granted.parts.append(part)
    }
}

extension DemoLoader {
    /// Stores challenges, plans and granted awards of a game. Then it settles the challenges that are over, and makes
    /// the donations of their stakes.
    /// - Parameter end: When the data ends.
    /// - Returns: The number of donations.
    package func load(_ rows: DemoContestRows, of game: Slug, until end: Instant) async throws -> Int {
        let (challenges, entries, plans, granted) = (rows.challenges, rows.entries, rows.plans, rows.granted)
        _ = try await inTransaction { connection in
            try await connection.pipeline(
                DemoChallenges(
                    ids: challenges.ids, makers: challenges.makers, boards: challenges.boards,
                    firstDays: challenges.firstDays, lastDays: challenges.lastDays, stakes: challenges.stakes,
                    madeAt: challenges.madeAt),
                DemoEntries(
                    players: entries.players, contests: entries.contests, states: entries.states,
                    charities: entries.charities, at: entries.at),
                DemoPlans(
                    players: plans.players, firsts: plans.firsts, seconds: plans.seconds, shares: plans.shares,
                    every: plans.every, keeps: plans.keeps, parts: plans.parts, end: end),
                DemoAwardsGrant(
                    game: game, awards: granted.awards, players: granted.players, parts: granted.parts, end: end))
        }
        for challenge in rows.over { _ = try await store.settle(challenge, now: end) }
        var donated = 0
        var last: WaitingStake?
        repeat {
            let stakes = try await store.waitingStakes(after: last)
            for stake in stakes where try await donate(stake, at: end.advanced(bySeconds: -1)) { donated += 1 }
            last = stakes.last
        } while last != nil
        return donated
    }

    private func donate(_ stake: WaitingStake, at time: Instant) async throws -> Bool {
        let donation = NewDonation(
            stake.points, by: .player(stake.player), to: CharityName(stake.charity.slug), id: stake.donation,
            reachedAt: time)
        let answer = try await store.commit(
            scores: [], donations: [donation], isRepeated: false, marker: nil, now: time)
        let isGiven = answer.donations.first?.outcome == .recorded
        try await store.note(stake, isGiven: isGiven)
        return isGiven
    }

    /// Gives players the awards that their scores and donations earned.
    package func giveAwards(of game: Game.ID, to players: [Player.ID]) async throws {
        let give = DemoAwardsGive(game: game.rawValue, players: players.map(\.rawValue))
        _ = try await inTransaction { connection in try await connection.run(give) }
    }
}
