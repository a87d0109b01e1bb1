import enum Contract.ProblemName
import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import NIOCore
import Pages
import Storage

/// The first page of the console, and its pages of days, subscribers and audits.
final class ConsoleHandlers: RouteHandlers {
    let clock: ServerClock
    let operations: Operations
    let sessions: ConsoleSessions
    let replies: Replies
    let reports: AdminReportHandlers
    let moderation: ModerationHandlers
    let players: ConsolePlayerHandlers

    init(
        clock: ServerClock, operations: Operations, sessions: ConsoleSessions, replies: Replies,
        reports: AdminReportHandlers, moderation: ModerationHandlers, players: ConsolePlayerHandlers
    ) {
        (self.clock, self.operations, self.sessions, self.replies) = (clock, operations, sessions, replies)
        (self.reports, self.moderation, self.players) = (reports, moderation, players)
    }

    static func of(_ handlers: Handlers) -> ConsoleHandlers { handlers.console }

    /// `GET /admin`
    func consoleOverview(_ request: Request) async throws -> Response {
        let session = try await sessions.signedIn(request)
        var page = sessions.page("Overview", .overview, for: session)
        guard session.allows(.read) else {
            let charities = session.key.scopes.all.compactMap { scope -> ConsoleLink? in
                guard case .charity(let slug) = scope else { return nil }
                return ConsoleLink(slug.description, Routes.console.charity.path(slug), .button)
            }
            page.add(
                "Your charities", [charities.isEmpty ? .text("Your key may read nothing here.") : .links(charities)])
            return sessions.reply(page)
        }
        if let problem = operations.readiness.report().cause {
            page.add(nil, [.notice("The server is not ready: \(problem.rawValue).", isTrouble: true)])
        }
        try await addCharts(to: &page)
        let entries = try await moderation.logPage(QueryParameters("/?limit=8"), for: session.key)
        page.add("Newest in the log", [.table(try await players.logTable(entries, of: session))])
        return sessions.reply(page)
    }

    /// Charts of the last days. Where there are too many rows to add up, the page says so.
    private func addCharts(to page: inout ConsolePage) async throws {
        do {
            let days = try await reports.statsPage(QueryParameters("/?days=\(Limits.statsDaysStandard)")).rows
            let known = Dictionary(days.map { ($0.day, $0) }) { first, _ in first }
            let today = clock.now.dayInUTC
            let all = (0..<Int32(Limits.statsDaysStandard)).reversed().map { today.advanced(byDays: -$0) }
            func chart(_ title: String, isDonation: Bool = false, _ number: (DayStats) -> Int64) -> ConsoleChart {
                ConsoleChart(title, all.map { ($0, known[$0].map(number) ?? 0) }, isDonation: isDonation)
            }
            page.add(
                "The last \(Limits.statsDaysStandard) days", id: "days",
                [
                    .charts([
                        chart("Posts") { $0.posts }, chart("Donations", isDonation: true) { $0.donations },
                        chart("New players") { $0.players },
                    ]),
                    .links([ConsoleLink("CSV", Routes.console.stats.path(.csv) + "?days=\(Limits.statsDaysStandard)")]),
                ])
        } catch let problem as Problem where problem == .tooManyStats || problem == .busy {
            page.add("The last \(Limits.statsDaysStandard) days", [.notice(problem.sentence, isTrouble: false)])
        }
    }

    /// `GET /admin/stats`
    func consoleStats(_ request: Request, _ format: ListFormat?) async throws -> Response {
        _ = try await sessions.signedIn(request, .read)
        return replies.list(
            AdminReportHandlers.dayList, try await reports.statsPage(request.parameters()),
            at: Routes.console.stats.path(nil), as: format ?? .csv)
    }

    /// `GET /admin/subscribers`
    func consoleSubscribers(_ request: Request, _ format: ListFormat?) async throws -> Response {
        let session = try await sessions.signedIn(request, .personal)
        let rows = try await reports.subscribersPage(request.parameters())
        let path = Routes.console.subscribers.path(nil)
        if let format { return replies.list(reports.subscriberList, rows, at: path, as: format) }
        var page = sessions.page("Subscribers", .subscribers, for: session)
        page.intro = "Players who asked for updates by e-mail, with the link that ends them."
        page.add(
            nil,
            [
                .table(
                    ConsoleTable(
                        reports.subscriberList, rows, at: path, "In the order of their ids",
                        ["name": "Name", "email": "E-mail", "since": "Since", "unsubscribe": "Link"],
                        order: ["name", "email", "since", "unsubscribe"], empty: "Nobody has asked for updates.",
                        cells: ["name": { ConsoleSubjects.cell(of: $0.player, [$0.player: $0.name]) }]
                    ) { Routes.console.player.path($0.player) })
            ])
        return sessions.reply(page)
    }

}
