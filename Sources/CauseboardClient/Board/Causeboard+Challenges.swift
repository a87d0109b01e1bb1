public import Contract
public import Foundation

// Challenges. None of these calls is queued: the result is known when the call returns.
extension Causeboard {
    /// Challenges players on a board, for today and some more days in the board's time zone. The player has entered at
    /// once; the others are invited.
    /// - Parameters:
    ///   - players: 1 to 49 ids: of friends or, where the game allows it, also of players of the team.
    ///   - board: The board's slug.
    ///   - days: Days after today: 1 to 14.
    ///   - stake: The points that everybody who enters gives to the winner's charity; nil for none.
    ///   - charity: With a stake: the charity that gets the points if the player wins.
    ///   - id: The challenge's id. After a call that threw `.askAgain`, another one with the same id makes no second
    ///     challenge.
    /// - Throws: `.giveUp` with `notFriends` when one of the players may not be invited, with `challengesFull` when the
    ///   player has too many challenges, with `boardClosed` or `charityClosed`, and with `forbidden` when challenges
    ///   are off in the game.
    @discardableResult public func challenge(
        _ players: [Int64], on board: String, days: Int, stake: Int64? = nil, charity: String? = nil, id: UUID = UUID()
    ) async throws(CauseboardError) -> Challenge {
        try Slug.check(board, "board")
        let path = Addresses.challenge.path(game, board, id.uuidString.lowercased())
        let making = ChallengeMaking(days: days, players: players, stake: stake, charity: charity)
        return try await session.send(Call("PUT", path, json: making), as: Challenge.self)
    }

    /// The player's challenges, newest first, without their entrants. They stay for 90 days after they were settled.
    /// - Parameters:
    ///   - state: Only challenges in this state; nil for all.
    ///   - limit: 1 to 100 rows.
    ///   - cursor: The `next` of the page before; nil for the first.
    public func challenges(in state: Challenge.State? = nil, limit: Int = 50, after cursor: String? = nil)
        async throws(CauseboardError) -> HistoryPage<Challenge>
    {
        let query = [("state", state?.rawValue), ("limit", String(limit)), ("after", cursor)]
        return try await session.send(
            Call(Addresses.myChallenges.path(), query: query), as: HistoryPage<Challenge>.self)
    }

    /// A challenge as it is now, with its entrants: those who entered, best first. Everybody with rank 1 wins. Its
    /// maker also sees who has not entered.
    /// - Throws: `.giveUp` with `notFound` when the player is not invited.
    public func standings(of challenge: Challenge) async throws(CauseboardError) -> Challenge {
        let path = Addresses.challenge.path(game, challenge.board, challenge.id)
        return try await session.send(Call("GET", path), as: Challenge.self)
    }

    /// Enters a challenge, also after declining or leaving it.
    /// - Parameters:
    ///   - challenge: A challenge that the player is invited to.
    ///   - charity: With a stake: the charity that gets the points if the player wins. It may be changed until the
    ///     challenge is over.
    /// - Returns: As of ``standings(of:)``.
    /// - Throws: `.giveUp` with `challengeOver`, `charityClosed` or `challengesFull`.
    @discardableResult public func enter(_ challenge: Challenge, charity: String? = nil) async throws(CauseboardError)
        -> Challenge
    {
        let path = Addresses.challengeEntry.path(game, challenge.board, challenge.id)
        let call = try Call("PUT", path, json: ChallengeEntry(charity: charity))
        return try await session.send(call, as: Challenge.self)
    }

    /// Declines a challenge, or leaves it. Who leaves gives no stake.
    /// - Throws: `.giveUp` with `challengeOver`.
    public func decline(_ challenge: Challenge) async throws(CauseboardError) {
        let path = Addresses.challengeEntry.path(game, challenge.board, challenge.id)
        try await session.sendForNothing(Call("DELETE", path))
    }
}
