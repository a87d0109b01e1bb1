import enum Contract.Keys
import enum Contract.Reply
import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage
import Tracing

/// Posts of scores and donations under the client's own id, which is their idempotency key.
final class LedgerHandlers: RouteHandlers {
    let store: Store
    let writeBatcher: WriteBatcher
    let rankings: Rankings
    let clock: ServerClock
    let operations: Operations
    let callers: Callers
    let rates: RequestRates
    let replies: Replies

    init(
        store: Store, writeBatcher: WriteBatcher, rankings: Rankings, clock: ServerClock, operations: Operations,
        callers: Callers, rates: RequestRates, replies: Replies
    ) {
        (self.store, self.writeBatcher, self.rankings, self.clock) = (store, writeBatcher, rankings, clock)
        (self.operations, self.callers, self.rates, self.replies) = (operations, callers, rates, replies)
    }

    static func of(_ handlers: Handlers) -> LedgerHandlers { handlers.ledger }

    /// A game's own server says for whom it speaks.
    private static let scoreFields = Keys.ScorePost.names.union(["player", "external"])
    private static let donationFields = Keys.Donation.names.union(["player", "external"])

    /// `PUT /v1/games/{game}/boards/{board}/scores/{id}`
    func postScore(_ request: Request, in game: Slug, on board: Slug, _ id: ClientID) async throws -> Response {
        let parsing = operations.beginSpan("parse")
        defer { parsing?.end() }
        let credential = try callers.credential(request)
        try rates.countPlayer(of: credential, in: .playerPosts, posting: game)
        let isSigned = try callers.isSigned(request, by: credential)
        let uuid = try id.uuid()
        let fields = try request.fields(Self.scoreFields)
        let caller = try await callers.caller(credential, fields, in: game)
        guard let points = try fields.integer(Keys.ScorePost.points.rawValue) else {
            throw FieldError(Keys.ScorePost.points.rawValue, "points is missing. Send a whole number.")
        }
        let playedAt = try fields.instant(Keys.ScorePost.playedAt.rawValue)
        let detailField = Keys.ScorePost.detail.rawValue
        let detail = fields.presence(of: detailField) == .value ? try fields.json(detailField) : nil
        parsing?.end()
        let recorded = try await rates.storing(detail: detail, of: request, by: credential) {
            try await writeBatcher.record(includesTotal: true) { arrival in
                NewScore(
                    points, by: caller, on: board, in: game, id: uuid, playedAt: playedAt, detail: detail,
                    isSigned: isSigned, reachedAt: arrival)
            }
        }
        let receipt = recorded.receipt
        try await check(receipt, caller, on: board, in: game)
        return replies.written(
            try Self.tree(receipt, rank: recorded.currentRank), at: Routes.v1.score.path(game, board, ClientID(uuid)),
            isReplay: receipt.outcome == .retry)
    }

    /// `PUT /v1/charities/{charity}/donations/{id}`
    func donate(_ request: Request, to charity: Slug, _ id: ClientID) async throws -> Response {
        let parsing = operations.beginSpan("parse")
        defer { parsing?.end() }
        let credential = try callers.credential(request)
        try rates.countPlayer(of: credential, in: .playerDonations, posting: nil)
        let uuid = try id.uuid()
        let fields = try request.fields(Self.donationFields)
        let caller = try await callers.caller(credential, fields, in: nil)
        guard let points = try fields.integer(Keys.Donation.points.rawValue) else {
            throw FieldError(Keys.Donation.points.rawValue, "points is missing. Send a whole number.")
        }
        guard points >= 1 else {
            throw FieldError(Keys.Donation.points.rawValue, "A donation is at least 1 point. Donate more.")
        }
        let isAnonymous = try fields.boolean(Keys.Donation.anonymous.rawValue) ?? false
        parsing?.end()
        let recorded = try await writeBatcher.donate { arrival in
            NewDonation(
                points, by: caller, to: CharityName(charity), id: uuid, isAnonymous: isAnonymous, reachedAt: arrival)
        }
        let receipt = recorded.receipt
        try await check(receipt, caller, to: charity)
        return replies.written(
            try Self.tree(receipt, rank: recorded.currentRank, unfunded: nil),
            at: Routes.v1.donation.path(charity, ClientID(uuid)), isReplay: receipt.outcome == .retry)
    }

    /// - Parameter rank: Nil while it is not known: then the reply has no `rank`. For a player without one it is null.
    /// - Throws: ``Problem/bug`` for a score that was not recorded, because its balance is unknown.
    static func tree(_ receipt: ScoreReceipt, rank: WriteBatcher.CurrentRank?) throws(Problem) -> JSONTree {
        guard let left = receipt.balance else { throw .bug }
        let reply = Reply.ScoreReceipt(
            points: receipt.points, best: receipt.best.map { Int128($0) }, improved: receipt.improved,
            rank: rank?.rank.map { Int($0) }, of: rank?.size.map { Int($0) }, earned: receipt.earned, left: left,
            voided: receipt.state == .voided ? true : nil, state: receipt.state.reviewWord)
        return JSONTree(reply, rank == nil ? [:] : [Reply.ScoreReceipt.CodingKeys.rank: .null])
    }

    /// - Parameter rank: As for a score.
    /// - Throws: As for scores.
    static func tree(_ receipt: DonationReceipt, rank: WriteBatcher.CurrentRank?, unfunded: Int64?) throws(Problem)
        -> JSONTree
    {
        guard let left = receipt.balance else { throw .bug }
        let reply = Reply.DonationReceipt(
            charity: receipt.charity ?? "", points: receipt.points, left: left, rank: rank?.rank.map { Int($0) },
            reversed: receipt.isReversed ? true : nil, unfunded: unfunded)
        return JSONTree(reply, rank == nil ? [:] : [Reply.DonationReceipt.CodingKeys.rank: .null])
    }

    private func check(_ receipt: ScoreReceipt, _ caller: Caller, on board: Slug, in game: Slug) async throws {
        switch receipt.outcome {
        case .recorded, .retry: return
        case .conflict: throw Problem.idReused
        case .unauthorized: throw Problem.unauthorized
        case .forbidden: throw Problem.forbidden(caller)
        case .scope: throw Problem.missing(.post)
        case .noPlayer: throw Problem.noPlayerInGame
        case .noBoard: throw Problem.noBoard
        case .unsigned: throw Problem.badSignature
        case .serverOnly: throw Problem.serverOnly
        case .boardClosed: throw try await rankings.boardClosed(board, in: game, now: clock.now)
        case .outOfBounds: throw try await rankings.outOfBounds(receipt.points, on: board, in: game)
        case .banned: throw Problem.banned
        case .tooManyHeld: throw rates.limiter.refusal(asIfOver: .playerPosts)
        case .deferred, .protocolClosed, .tokenNeeded: throw Problem.bug
        }
    }

    private func check(_ receipt: DonationReceipt, _ caller: Caller, to charity: Slug) async throws {
        switch receipt.outcome {
        case .recorded, .retry: return
        case .conflict: throw Problem.idReused
        case .unauthorized: throw Problem.unauthorized
        case .forbidden: throw Problem.forbidden(caller)
        case .scope: throw Problem.missing(.donate)
        case .noPlayer: throw Problem.noPlayerInGame
        case .noCharity: throw Problem.noCharity
        case .charityClosed: throw try await rankings.charityClosed(charity, now: clock.now)
        case .overspent: throw Problem.overspent(Keys.Donation.points.rawValue)
        case .settling: throw Problem.settling(Keys.Donation.points.rawValue, readyAt: receipt.readyAt, now: clock.now)
        case .capReached: throw receipt.cap.map { Problem.capReached($0, Keys.Donation.points.rawValue) } ?? Problem.bug
        case .banned: throw Problem.banned
        case .deferred, .protocolClosed, .tokenNeeded: throw Problem.bug
        }
    }
}

extension LedgerState {
    /// The `state` member of a score: `in-review` until somebody decides about it.
    var reviewWord: String? { self == .held ? "in-review" : nil }
}
