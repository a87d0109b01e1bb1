import enum Contract.Reply
import struct Contract.Timestamp
import Domain
import Storage

extension Replies {
    /// A challenge as one of its players sees it: who has entered, and itself; the maker sees everybody.
    /// - Returns: Nil for a player who may not see it.
    func challenge(_ challenge: Challenge, _ entrants: [Entrant], seenBy player: Player.ID, isCorrected: Bool) -> Reply
        .Challenge?
    {
        let isMaker = challenge.maker == player
        let outcome = ContestOutcome(entrants.compactMap(\.result), ties: challenge.ties)
        let shown = entrants.filter { entrant in
            let isOwn = entrant.player.id == player
            return isOwn || !entrant.isHidden && (isMaker || entrant.answer == .entered)
        }
        return self.challenge(
            challenge, shown.map { entrant($0, outcome.place(of: $0.player.id)) }, isCorrected: isCorrected)
    }

    /// - Parameter entrants: Nil in a list of challenges.
    func challenge(_ challenge: Challenge, _ entrants: [Reply.Challenge.Entrant]?, isCorrected: Bool = false) -> Reply
        .Challenge?
    {
        guard challenge.answer != .withdrawn else { return nil }
        return Reply.Challenge(
            id: challenge.id.text, game: challenge.game.description, board: challenge.board.description,
            season: Int(challenge.season), by: challenge.maker?.rawValue, from: Timestamp(challenge.span.lowerBound),
            until: Timestamp(challenge.span.upperBound), firstDay: challenge.days.lowerBound.isoDate,
            lastDay: challenge.days.upperBound.isoDate, state: challenge.state.reply, stake: challenge.stake,
            answer: challenge.answer.reply, corrected: isCorrected ? true : nil, entrants: entrants)
    }

    private func entrant(_ entrant: Entrant, _ place: ContestOutcome.Place?) -> Reply.Challenge.Entrant {
        let player = player(entrant.player.id, entrant.player.name, entrant.player.avatar)
        return Reply.Challenge.Entrant(
            player: player.id, name: player.name, avatar: player.avatar, state: entrant.answer.reply,
            rank: place.map { Int($0.rank) }, tied: place?.isTied, points: place?.result.points,
            charity: entrant.charity?.description, gave: entrant.gave)
    }

    /// A challenge as the player's own profile lists it.
    func notice(_ challenge: ChallengeNotice) -> Reply.ChallengeNotice {
        Reply.ChallengeNotice(id: challenge.id.text, state: challenge.state.reply, answer: challenge.answer.reply)
    }
}

extension Challenge {
    /// Whether others would have won by what counts now.
    func isCorrected(by entrants: [Entrant]) -> Bool {
        let winners = ContestOutcome(entrants.compactMap(\.result), ties: ties).winners
        return Set(winners) != Set(entrants.filter(\.hasWon).map(\.player.id.rawValue))
    }
}

extension ChallengeState {
    fileprivate var reply: Reply.Challenge.State {
        switch self {
        case .open: .open
        case .over: .over
        case .settled: .settled
        case .lapsed: .lapsed
        }
    }
}

extension ChallengeAnswer {
    fileprivate var reply: Reply.ChallengeAnswer {
        switch self {
        case .invited: .invited
        case .entered: .entered
        // The maker does not learn why a player does not take part.
        case .declined, .withdrawn: .declined
        case .left: .left
        }
    }
}
