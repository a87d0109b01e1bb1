import enum Contract.Keys
import Credentials
import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// What is kept of a player, for the player: its scores and donations, the export of everything, and its erasure.
struct OwnDataHandlers: RouteHandlers {
    let store: Store
    let writeBatcher: WriteBatcher
    let rankings: Rankings
    let secret: Secret
    let clock: ServerClock
    let callers: Callers
    let rates: RequestRates
    let replies: Replies
    let exports = ExportSlots(Limits.exportsMax)

    static func of(_ handlers: Handlers) -> Self { handlers.ownData }

    /// `GET /v1/players/me/scores`
    func myScores(_ request: Request) async throws -> Response {
        try await history(
            request, .scores, historyKey: { HistoryKey(reachedAt: $0.reachedAt, id: $0.id) },
            older: { player, historyKey, rows in
                try await store.scores(of: player, before: historyKey, limitRows: rows, now: clock.now)
            },
            newer: { player, historyKey, rows in
                try await store.scores(of: player, after: historyKey, limitRows: rows, now: clock.now)
            }, tree: { .object(Self.members($0)) })
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
            }, tree: { .object(Self.members($0)) })
    }

    static func members(_ score: PastScore) -> [JSONTree.Member] {
        [
            .init(Keys.PastScore.id, .text(score.id.text)), .init(Keys.PastScore.game, .text(score.game)),
            .init(Keys.PastScore.board, .text(score.board)),
            .init(Keys.PastScore.season, .integer(Int128(score.season))),
            .init(Keys.PastScore.points, .integer(Int128(score.points))),
            .init(Keys.PastScore.earned, .integer(Int128(score.earned))),
            .init(Keys.PastScore.playedAt, .instant(ifAny: score.playedAt)),
            .init("detail", .json(ifAny: score.detail)), .init(Keys.PastScore.reachedAt, .instant(score.reachedAt)),
            .init(Keys.PastScore.voided, score.state == .voided ? .boolean(true) : .none),
            LedgerHandlers.state(score.state),
        ]
    }

    static func members(_ donation: PastDonation) -> [JSONTree.Member] {
        [
            .init(Keys.PastDonation.id, .text(donation.id.text)),
            .init(Keys.PastDonation.charity, .text(donation.charity)),
            .init(Keys.PastDonation.points, .integer(Int128(donation.points))),
            .init(Keys.PastDonation.anonymous, .boolean(donation.isAnonymous)),
            .init(Keys.PastDonation.reachedAt, .instant(donation.reachedAt)),
            .init(Keys.PastDonation.reversed, donation.isReversed ? .boolean(true) : .none),
        ] + unfunded(donation)
    }

    /// Absent for a donation that is funded in whole.
    static func unfunded(_ donation: PastDonation) -> [JSONTree.Member] {
        donation.unfunded > 0 ? [.init(Keys.PastDonation.unfunded, .integer(Int128(donation.unfunded)))] : []
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
        func cursor(_ row: Row?) -> Value {
            .text(ifAny: row.flatMap { secret.cursor(HistoryCursor(ledger: ledger, historyKey: historyKey($0)).bytes) })
        }
        return replies.own(
            .ok,
            .object([
                .init(Keys.HistoryPage.rows, .list(rows.map(tree))),
                .init(Keys.HistoryPage.next, hasOlder ? cursor(rows.last) : .none),
                .init("prev", hasNewer ? cursor(rows.first) : .none),
            ]))
    }

    private static func historyKey(_ bytes: [UInt8], _ ledger: HistoryCursor.Ledger, _ field: String) throws(Problem)
        -> HistoryKey
    {
        guard let cursor = HistoryCursor(bytes: bytes), cursor.ledger == ledger else { throw Problem.badCursor(field) }
        return cursor.historyKey
    }
}
