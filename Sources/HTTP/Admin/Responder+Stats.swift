import Credentials
import Domain
import Feeds
import HTTPTypes
import Leaderboard
import Pages
import Storage

// What happened on each day, and who asked for updates.
extension Responder {
    /// `GET /v1/admin/stats?days=`: days in UTC, today first. It reads every row of these days, so one answer is made
    /// at a time, and none of more rows than ``Limits/statsRowsMax``.
    func stats(_ request: Request, _ format: ListFormat?) async throws -> Response {
        try await admin(request, .read)
        let query = try request.parameters()
        let days = try query.number("days", 1...Limits.statsDaysMax, "days") ?? Limits.statsDaysStandard
        let path = Routes.adminStats.path(nil)
        let page = try AdminPage(query, of: path, secret)
        let last = page.after.map { Day(daysSince1970: Int32(clamping: $0.number)).advanced(byDays: -1) }
        let today = clock.now.dayInUTC
        let first = today.advanced(byDays: 1 - Int32(clamping: days))
        let end = min(last ?? today, today)
        guard first <= end else { return reply(Self.dayList, [], page, at: path, as: format, query) { _ in (0, "") } }
        guard await statsGate.enter() else {
            try Task.checkCancellation()
            throw Problem.busy
        }
        defer { statsGate.leave() }
        // One day more than the page tells whether there is another page.
        let start = max(first, end.advanced(byDays: -Int32(clamping: page.limitRows)))
        guard let rows = try await store.stats(of: start...end, rowsMax: Limits.statsRowsMax) else {
            throw Problem.tooManyStats
        }
        return reply(Self.dayList, rows, page, at: path, as: format, query) { (Int64($0.day.daysSince1970), "") }
    }

    /// `GET /v1/admin/subscribers`: what `causeboard export subscribers` writes, page by page.
    func subscribers(_ request: Request, _ format: ListFormat?) async throws -> Response {
        try await admin(request, .personal)
        let path = Routes.adminSubscribers.path(nil)
        let query = try request.parameters()
        let page = try AdminPage(query, of: path, secret)
        let after = Player.ID(rawValue: page.after?.number ?? 0)
        let rows = try await store.subscribers(after: after, limitRows: page.limitRows + 1)
        let list = AdminList<Subscriber>(
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
        return reply(list, rows, page, at: path, as: format, query) { ($0.player.rawValue, "") }
    }

    private static let dayList = AdminList<DayStats>(
        name: "stats",
        columns: [
            Column("day", .text), Column("posts", .integer), Column("donations", .integer),
            Column("players", .integer), Column("earned", .integer), Column("given", .integer),
        ]
    ) { day in
        let values: [Value] = [
            .text(day.day.text), .integer(Int128(day.posts)), .integer(Int128(day.donations)),
            .integer(Int128(day.players)), .integer(day.earned), .integer(day.given),
        ]
        return values.map(JSONTree.value)
    }
}
