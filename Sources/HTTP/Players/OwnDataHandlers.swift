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

/// What is kept of a player, for the player: its scores and donations, the export of everything, and its erasure.
final class OwnDataHandlers: RouteHandlers {
    let store: Store
    let writeBatcher: WriteBatcher
    let rankings: Rankings
    let secret: Secret
    let clock: ServerClock
    let callers: Callers
    let rates: RequestRates
    let replies: Replies
    let exports = ExportSlots(Limits.exportsMax)

    init(
        store: Store, writeBatcher: WriteBatcher, rankings: Rankings, secret: Secret, clock: ServerClock,
        callers: Callers, rates: RequestRates, replies: Replies
    ) {
        (self.store, self.writeBatcher, self.rankings, self.secret) = (store, writeBatcher, rankings, secret)
        (self.clock, self.callers, self.rates, self.replies) = (clock, callers, rates, replies)
    }

    static func of(_ handlers: Handlers) -> OwnDataHandlers { handlers.ownData }

    /// `GET /v1/players/me/scores`
    func myScores(_ request: Request) async throws -> Response {
        try await history(
            request, .scores, historyKey: { HistoryKey(reachedAt: $0.reachedAt, id: $0.id) },
            older: { player, historyKey, rows in
                try await store.scores(of: player, before: historyKey, limitRows: rows, now: clock.now)
            },
            newer: { player, historyKey, rows in
                try await store.scores(of: player, after: historyKey, limitRows: rows, now: clock.now)
            }, tree: Self.tree)
    }

    /// `GET /v1/players/me/donations`
    func myDonations(_ request: Request) async throws -> Response {
        try await history(
            request, .donations, historyKey: { HistoryKey(reachedAt: $0.reachedAt, id: $0.id) },
            older: { player, historyKey, rows in
                try await store.donations(of: player, before: historyKey, limitRows: rows)
            },
            newer: { player, historyKey, rows in
                try await store.donations(of: player, after: historyKey, limitRows: rows)
            }, tree: Self.tree)
    }

    static func tree(_ score: PastScore) -> JSONTree {
        let reply = Reply.PastScore(
            id: score.id.text, game: score.game, board: score.board, season: Int(score.season), points: score.points,
            earned: score.earned, playedAt: score.playedAt.map(Timestamp.init), detail: nil,
            reachedAt: Timestamp(score.reachedAt), voided: score.state == .voided ? true : nil,
            state: score.state.reviewWord)
        return JSONTree(reply, [Reply.PastScore.CodingKeys.detail: .value(.json(ifAny: score.detail))])
    }

    static func tree(_ donation: PastDonation) -> JSONTree {
        JSONTree(
            Reply.PastDonation(
                id: donation.id.text, charity: donation.charity, points: donation.points,
                anonymous: donation.isAnonymous, reachedAt: Timestamp(donation.reachedAt),
                reversed: donation.isReversed ? true : nil, unfunded: donation.unfunded > 0 ? donation.unfunded : nil))
    }

    /// Answers with one page of either history. It reads one row more than it shows, to know whether another page
    /// follows.
    private func history<Row>(
        _ request: Request, _ ledger: HistoryCursor.Ledger, historyKey: (Row) -> HistoryKey,
        older: (Player.ID, HistoryKey?, Int) async throws -> [Row],
        newer: (Player.ID, HistoryKey, Int) async throws -> [Row], tree: (Row) -> JSONTree
    ) async throws -> Response {
        let query = try FeedQuery(request, .history, secret)
        var after: HistoryKey?
        var before: HistoryKey?
        switch query.selection {
        case .after(let bytes): after = try Self.historyKey(bytes, ledger, "after")
        case .before(let bytes): before = try Self.historyKey(bytes, ledger, "before")
        case .from, .players: break
        }
        let player = try await callers.callingPlayer(request, in: nil)
        var rows: [Row]
        let hasOlder: Bool
        let hasNewer: Bool
        if let before {
            rows = try await newer(player, before, query.limitRows + 1)
            hasNewer = rows.count > query.limitRows
            rows = Array(rows.prefix(query.limitRows).reversed())
            hasOlder = true
        } else {
            rows = try await older(player, after, query.limitRows + 1)
            hasOlder = rows.count > query.limitRows
            rows = Array(rows.prefix(query.limitRows))
            hasNewer = after != nil
        }
        func cursor(_ row: Row?) -> String? {
            row.flatMap { secret.cursor(HistoryCursor(ledger: ledger, historyKey: historyKey($0)).bytes) }
        }
        return replies.own(
            .ok,
            Reply.HistoryPage(
                rows: rows.map(tree), next: hasOlder ? cursor(rows.last) : nil,
                prev: hasNewer ? cursor(rows.first) : nil))
    }

    private static func historyKey(_ bytes: [UInt8], _ ledger: HistoryCursor.Ledger, _ field: String) throws(Problem)
        -> HistoryKey
    {
        guard let cursor = HistoryCursor(bytes: bytes), cursor.ledger == ledger else { throw Problem.badCursor(field) }
        return cursor.historyKey
    }
}
