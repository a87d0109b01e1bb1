import Concurrency
import Credentials
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Pages
import Storage

/// Daily statistics, subscribers, and audits.
final class AdminReportHandlers: RouteHandlers {
    let store: Store
    let secret: Secret
    let clock: ServerClock
    let audits: AuditRuns
    private let statsGate = FairGate<ClientKey>(.stats)
    let operators: OperatorKeys
    let replies: Replies

    static func of(_ handlers: Handlers) -> AdminReportHandlers { handlers.reports }

    init(store: Store, secret: Secret, clock: ServerClock, audits: AuditRuns, operators: OperatorKeys, replies: Replies)
    {
        (self.store, self.secret, self.clock, self.audits) = (store, secret, clock, audits)
        (self.operators, self.replies) = (operators, replies)
    }

    /// `GET /v1/admin/stats?days=`: days in UTC, today first. It reads every row of these days, so one answer is made
    /// at a time, and none of more rows than ``Limits/statsRowsMax``.
    func stats(_ request: Request, _ format: ListFormat?) async throws -> Response {
        try await operators.admin(request, .read)
        let page = try await statsPage(request.parameters())
        return replies.list(Self.dayList, page, at: Routes.admin.stats.path(nil), as: format)
    }

    /// A page of the days that a query asks for.
    func statsPage(_ query: QueryParameters) async throws -> ListPage<DayStats> {
        let days = try query.number("days", 1...Limits.statsDaysMax, "days") ?? Limits.statsDaysStandard
        return try await replies.page(query, at: Routes.admin.stats.path(nil)) { page in
            try await stats(days: days, page)
        } cursor: {
            (Int64($0.day.daysSince1970), "")
        }
    }

    private func stats(days: Int, _ page: AdminPage) async throws -> [DayStats] {
        let last = page.after.map { Day(daysSince1970: Int32(clamping: $0.number)).advanced(byDays: -1) }
        let today = clock.now.dayInUTC
        let first = today.advanced(byDays: 1 - Int32(clamping: days))
        let end = min(last ?? today, today)
        guard first <= end else { return [] }
        // One day more than the page tells whether there is another page.
        let start = max(first, end.advanced(byDays: -Int32(clamping: page.limitRows)))
        let rows = try await statsGate.run { () async throws(StoreError) in
            try await store.admin.stats(of: start...end, rowsMax: Limits.statsRowsMax)
        }
        guard let rows else { throw Problem.tooManyStats }
        return rows
    }

    /// `GET /v1/admin/subscribers`: what `causeboard export subscribers` writes, page by page.
    func subscribers(_ request: Request, _ format: ListFormat?) async throws -> Response {
        try await operators.admin(request, .personal)
        let page = try await subscribersPage(request.parameters())
        return replies.list(subscriberList, page, at: Routes.admin.subscribers.path(nil), as: format)
    }

    func subscribersPage(_ query: QueryParameters) async throws -> ListPage<Subscriber> {
        try await replies.page(query, at: Routes.admin.subscribers.path(nil)) { page in
            let after = Player.ID(rawValue: page.after?.number ?? 0)
            return try await store.admin.subscribers(after: after, limitRows: page.limitRows + 1)
        } cursor: {
            ($0.player.rawValue, "")
        }
    }

    var subscriberList: AdminList<Subscriber> {
        AdminList<Subscriber>(
            name: "subscribers",
            columns: [
                Column("game", .text), Column("player", .integer), Column("name", .text), Column("email", .text),
                Column("since", .instant), Column("source", .text), Column("unsubscribe", .link),
            ]
        ) { [secret] subscriber in
            let values: [Value] = [
                .text(subscriber.game), .integer(Int128(subscriber.player.rawValue)), .text(subscriber.name),
                .text(subscriber.email), .instant(subscriber.since), .text(subscriber.source),
                secret.unsubscribing(subscriber.player).map { .link(PagePath.unsubscribe($0)) } ?? .none,
            ]
            return values.map(JSONTree.value)
        }
    }

    static let dayList = AdminList<DayStats>(
        name: "stats",
        columns: [
            Column("day", .text), Column("posts", .integer), Column("donations", .integer), Column("players", .integer),
            Column("earned", .integer), Column("given", .integer),
        ]
    ) { day in
        let values: [Value] = [
            .text(day.day.text), .integer(Int128(day.posts)), .integer(Int128(day.donations)),
            .integer(Int128(day.players)), .integer(day.earned), .integer(day.donated),
        ]
        return values.map(JSONTree.value)
    }
}
