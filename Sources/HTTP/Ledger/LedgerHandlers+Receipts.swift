import enum Contract.Reply
import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

// Receipts of recorded scores and donations, for the player that posted them.
extension LedgerHandlers {
    /// `GET /v1/games/{game}/boards/{board}/scores/{id}`
    func score(_ request: Request, in game: Slug, on board: Slug, _ id: ClientID) async throws -> Response {
        let credential = try callers.credential(request)
        let uuid = try id.uuid()
        let player = try await callers.found(try await owner(request, credential, in: game), in: game).own
        guard let found = try await store.findScore(uuid, of: player, on: board, in: game, now: clock.now) else {
            throw Problem.noReceipt
        }
        let rank = try await writeBatcher.currentRank(
            ofRow: found.receipt.player?.rawValue, own: found.receipt.own, on: found.receipt.board,
            ties: found.receipt.ties, includesTotal: true)
        return replies.own(
            .ok,
            .object(
                [
                    .init("id", .text(found.score.id.text)), .init("board", .text(found.score.board)),
                    .init("season", .integer(Int128(found.score.season))),
                    .init("played_at", .instant(ifAny: found.score.playedAt)),
                    .init("detail", .json(ifAny: found.score.detail)),
                    .init("reached_at", .instant(found.score.reachedAt)),
                ] + (try Self.tree(found.receipt, rank: rank)).members))
    }

    /// `GET /v1/charities/{charity}/donations/{id}`
    func donation(_ request: Request, to charity: Slug, _ id: ClientID) async throws -> Response {
        let credential = try callers.credential(request)
        let uuid = try id.uuid()
        let player = try await callers.found(try await owner(request, credential, in: nil), in: nil).own
        return try await receipt(of: uuid, by: player, to: charity)
    }

    /// The receipt of a donation as it is now.
    /// - Parameter player: The caller's own player.
    func receipt(of id: UUID, by player: Player.ID, to charity: Slug) async throws -> Response {
        guard let found = try await store.findDonation(id, of: player, to: charity, now: clock.now) else {
            throw Problem.noReceipt
        }
        let (receipt, unfunded) = (found.receipt, found.donation.unfunded)
        let rank = try await writeBatcher.currentRank(
            ofRow: receipt.row, on: receipt.board, ties: receipt.ties, includesTotal: false)
        return replies.own(
            .ok,
            .object(
                [
                    .init("id", .text(found.donation.id.text)),
                    .init("anonymous", .boolean(found.donation.isAnonymous)),
                    .init("reached_at", .instant(found.donation.reachedAt)),
                ] + (try Self.tree(receipt, rank: rank, unfunded: unfunded > 0 ? unfunded : nil)).members))
    }

    /// The caller whose receipt is asked for: the token's player, or the player that the query of a game's request
    /// names.
    func owner(_ request: Request, _ credential: Credential, in game: Slug?) async throws -> Caller {
        switch credential {
        case .player(let token): return .token(token, claims: nil)
        case .game(let key):
            let query = try request.parameters()
            let player = query["player"]
            let id = player.flatMap { Player.ID(digits: $0[...]) }
            if player != nil, id == nil { throw Problem.badPlayer }
            return .key(key, try await callers.subject(id, query["external"], of: key, in: game))
        case .admin: throw Problem.unauthorized
        }
    }
}
