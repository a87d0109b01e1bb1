import enum Contract.Keys
import enum Contract.Reply
import struct Contract.Timestamp
import Credentials
import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// Challenges between players: making one, answering one, and how they stand.
final class ChallengeHandlers: RouteHandlers {
    let store: Store
    let secret: Secret
    let clock: ServerClock
    let callers: Callers
    let rates: RequestRates
    let rankings: Rankings
    let replies: Replies

    init(
        store: Store, secret: Secret, clock: ServerClock, callers: Callers, rates: RequestRates, rankings: Rankings,
        replies: Replies
    ) {
        (self.store, self.secret, self.clock) = (store, secret, clock)
        (self.callers, self.rates, self.rankings, self.replies) = (callers, rates, rankings, replies)
    }

    static func of(_ handlers: Handlers) -> ChallengeHandlers { handlers.challenges }

    /// `PUT /v1/games/{game}/boards/{board}/challenges/{id}`
    func makeChallenge(_ request: Request, in game: Slug, on board: Slug, _ id: ClientID) async throws -> Response {
        let (token, device) = try await writer(request, in: game)
        let uuid = try id.uuid()
        let challenge = try Self.newChallenge(
            uuid, in: game, on: board, by: device.player, try request.fields(Keys.ChallengeMaking.names))
        return try await rates.counting(rates.spender(device), in: .playerChallenges) {
            let outcome = try await store.make(challenge, by: device.player, with: token, now: clock.now)
            try await check(outcome, in: game, on: board, charity: challenge.charity)
            let tree = try await document(uuid, in: game, on: board, for: device.player)
            let path = Routes.v1.challenge.path(game, board, ClientID(uuid))
            return (replies.written(tree, at: path, isReplay: outcome == .known), counts: outcome != .known)
        }
    }

    private static func newChallenge(_ id: UUID, in game: Slug, on board: Slug, by maker: Player.ID, _ fields: Fields)
        throws -> NewChallenge
    {
        guard let days = try fields.integer(Keys.ChallengeMaking.days.rawValue), Limits.challengeDays.contains(days)
        else { throw FieldError.challengeDays }
        let players = try fields.integers(Keys.ChallengeMaking.players.rawValue, countMax: Limits.challengedMax) ?? []
        let ids = Set(players.map(Player.ID.init))
        guard !ids.isEmpty, !ids.contains(maker), players.allSatisfy({ (1...Limits.playerIDMax).contains($0) }) else {
            throw FieldError.challengePlayers
        }
        let stake = try fields.integer(Keys.ChallengeMaking.stake.rawValue) ?? 0
        guard (0...Int64(Limits.stakes.upperBound)).contains(stake) else { throw FieldError.stakeTooHigh }
        let charity = try Self.charity(fields, Keys.ChallengeMaking.charity.rawValue)
        guard (charity != nil) == (stake > 0) else {
            throw stake > 0 ? FieldError.stakeCharityMissing : FieldError.charityWithoutStake
        }
        return NewChallenge(
            id: id, game: game, board: board, days: Int32(clamping: days), players: ids.sorted(), stake: stake,
            charity: charity)
    }

    /// The charity that a field names by its slug.
    private static func charity(_ fields: Fields, _ name: String) throws -> Slug? {
        guard let text = try fields.text(name) else { return nil }
        guard let slug = Slug(text) else { throw Problem.unknownCharity }
        return slug
    }

    /// `GET /v1/games/{game}/boards/{board}/challenges/{id}`
    func challenge(_ request: Request, in game: Slug, on board: Slug, _ id: ClientID) async throws -> Response {
        let player = try await callers.callingPlayer(request, in: game)
        return replies.own(.ok, try await document(try id.uuid(), in: game, on: board, for: player))
    }

    /// `PUT /v1/games/{game}/boards/{board}/challenges/{id}/entry`
    func enterChallenge(_ request: Request, in game: Slug, on board: Slug, _ id: ClientID) async throws -> Response {
        let fields = try request.fields(Keys.ChallengeEntry.names)
        let charity = try Self.charity(fields, Keys.ChallengeEntry.charity.rawValue)
        let (player, outcome) = try await answer(request, in: game, on: board, id, enters: true, charity: charity)
        var response = replies.own(.ok, try await document(try id.uuid(), in: game, on: board, for: player))
        if outcome == .known { response.headers[.idempotentReplayed] = "true" }
        return response
    }

    /// `DELETE /v1/games/{game}/boards/{board}/challenges/{id}/entry`. An invited player may decline, whatever the
    /// game allows by now.
    func declineChallenge(_ request: Request, in game: Slug, on board: Slug, _ id: ClientID) async throws -> Response {
        _ = try await answer(request, in: game, on: board, id, enters: false, charity: nil)
        return Response(status: .noContent, headers: [.cacheControl: "private, no-store"])
    }

    private func answer(_ request: Request, in game: Slug, on board: Slug, _ id: ClientID, enters: Bool, charity: Slug?)
        async throws -> (Player.ID, ChallengeOutcome)
    {
        let (token, device) = try await writer(request, in: game)
        let outcome = try await store.answer(
            try id.uuid(), on: board, in: game, enters: enters, charity: charity, by: device.player, with: token,
            now: clock.now)
        try await check(outcome, in: game, on: board, charity: charity)
        return (device.player, outcome)
    }

    /// `GET /v1/players/me/challenges`
    func myChallenges(_ request: Request) async throws -> Response {
        let query = try FeedQuery(request, .challenges, secret)
        var state: ChallengeState?
        if let text = try request.parameters()["state"] {
            guard text.utf8.count <= 8, let known = ChallengeState(rawValue: text) else {
                throw Problem.badChallengeState
            }
            state = known
        }
        var last: HistoryKey?
        if case .after(let bytes) = query.selection {
            guard let cursor = HistoryCursor(bytes: bytes), cursor.ledger == .challenges else {
                throw Problem.badCursor("after")
            }
            last = cursor.historyKey
        }
        let player = try await callers.callingPlayer(request, in: nil)
        let found = try await store.challenges(
            of: player, in: state, before: last, limitRows: query.limitRows + 1, now: clock.now)
        let shown = found.prefix(query.limitRows)
        var next: String?
        if found.count > shown.count, let end = shown.last {
            let key = HistoryKey(reachedAt: end.madeAt, id: end.id)
            next = secret.cursor(HistoryCursor(ledger: .challenges, historyKey: key).bytes)
        }
        return replies.own(
            .ok, Reply.HistoryPage(rows: shown.compactMap { replies.challenge($0, nil) }, next: next, prev: nil))
    }

    /// The device of a caller who writes, and its token.
    private func writer(_ request: Request, in game: Slug) async throws -> (TokenHash, CallingDevice) {
        let token = try callers.playerToken(request)
        let device = try await callers.writingDevice(token)
        // The database says whether there is such a game.
        if device.game != game { _ = try await callers.known(.token(token, claims: nil), in: game) }
        return (token, device)
    }

    /// A challenge as one of its players sees it.
    private func document(_ id: UUID, in game: Slug, on board: Slug, for player: Player.ID) async throws -> JSONTree {
        let now = clock.now
        let found = try await store.findChallenge(id, on: board, in: game, for: player, now: now)
        guard let challenge = found else { throw Problem.noChallenge }
        let entrants = try await store.entrants(of: id, asking: player, now: now)
        // Scores that count only in the player's own view do not decide who has won.
        let counted = challenge.state == .settled ? try await store.entrants(of: id, asking: nil, now: now) : []
        let reply = replies.challenge(
            challenge, entrants, seenBy: player, isCorrected: challenge.isCorrected(by: counted))
        guard let reply else { throw Problem.noChallenge }
        return JSONTree(reply)
    }

    /// - Throws: Unless what was asked for is so now.
    private func check(_ outcome: ChallengeOutcome, in game: Slug, on board: Slug, charity: Slug?) async throws {
        switch outcome {
        case .made, .entered, .left, .known: return
        case .taken: throw Problem.idReused
        case .off: throw Problem.noChallenges
        case .noBoard: throw Problem.noBoard
        case .boardClosed: throw try await rankings.boardClosed(board, in: game, now: clock.now)
        case .stake: throw FieldError.stakeNotAllowed
        case .noStake: throw FieldError.charityWithoutStake
        case .charityMissing: throw FieldError.stakeCharityMissing
        case .noCharity: throw Problem.unknownCharity
        case .charityClosed:
            guard let charity else { throw Problem.bug }
            throw try await rankings.charityClosed(charity, now: clock.now)
        case .notFriends: throw Problem.notFriends
        case .full: throw Problem.challengesFull
        case .noChallenge: throw Problem.noChallenge
        case .over: throw Problem.challengeOver
        case .unauthorized: throw Problem.unauthorized
        case .changed: throw Problem.busy
        }
    }
}

extension FeedQuery.Shape { fileprivate static let challenges = FeedQuery.Shape(keys: [.limit, .after]) }

// The problems of challenges.
extension Problem {
    static let noChallenge = Problem(.notFound, "There is no such challenge on this board, or you are not invited.")
    static let noChallenges = Problem(.forbidden, "Challenges are off in this game. Its operator can turn them on.")
    static let challengeOver = Problem(.challengeOver, "The challenge is over. Nobody can enter or leave it now.")
    /// One text for all reasons, so that it tells nothing of blocks and of what others have entered.
    static let notFriends = Problem(
        .notFriends,
        "You cannot invite one of these players. Invite friends; where the game allows it, also players of your team.",
        field: "players")
    static let challengesFull = Problem(
        .challengesFull,
        "A player may have made \(Limits.openChallengesMax) challenges that are not settled, and entered or not answered "
            + "\(Limits.openEntriesMax). Wait until one is settled, or decline one.")
    static let badChallengeState = Problem(
        .malformed,
        "state is none of a challenge. Send one of " + ChallengeState.allCases.map(\.rawValue).joined(separator: ", ")
            + ".", field: "state")
}

extension FieldError {
    static let challengeDays = FieldError(
        "days",
        "days is how long the challenge lasts after today. Send a whole number from "
            + "\(Limits.challengeDays.lowerBound) to \(Limits.challengeDays.upperBound).")
    static let challengePlayers = FieldError(
        "players",
        "players are the ids of those you invite, without yourself. Send 1 to \(Limits.challengedMax) of them.")
    static let stakeTooHigh = FieldError(
        "stake", "stake is a number of points. Send a whole number from 0 to \(Limits.stakes.upperBound).")
    static let stakeNotAllowed = FieldError(
        "stake", "stake is more than this game allows. Send at most its stake_max, or none.")
    static let stakeCharityMissing = FieldError(
        "charity", "The challenge has a stake. Say with charity who gets the points if you win: send its slug.")
    static let charityWithoutStake = FieldError(
        "charity", "The challenge has no stake, so no charity gets anything. Leave charity out.")
}
