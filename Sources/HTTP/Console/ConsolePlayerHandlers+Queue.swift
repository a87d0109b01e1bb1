import Domain
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Pages
import Storage

// What waits for an operator's decision, in the console.
extension ConsolePlayerHandlers {
    /// `GET /admin/queue`
    func consoleQueue(_ request: Request, _ format: ListFormat?) async throws -> Response {
        let session = try await sessions.signedIn(request, .read)
        let query = try request.parameters()
        let rows = try await moderation.queuePage(query, for: session.key)
        let path = Routes.console.queue.path(nil)
        if let format { return replies.list(ModerationHandlers.queueList, rows, at: path, as: format) }
        let mayAct = session.allows(.moderate)
        let names = try await subjects.names(of: rows.rows.compactMap(\.player))
        var page = sessions.page("Queue", .queue, for: session)
        page.intro = "Scores that are held, names that wait, and what players have reported."
        var table = ConsoleTable(
            "The oldest first",
            ["Player or team", "What", "Why", "Since (UTC)"].map { ConsoleTable.Column($0) }
                + ["Times", "Networks"].map { ConsoleTable.Column($0, isNumber: true) }
                + (mayAct ? [ConsoleTable.Column("Act")] : []),
            rows.rows.map { item in
                let words = (item.words ?? []).joined(separator: " / ")
                return [
                    item.player.map { ConsoleSubjects.cell(of: $0, names) } ?? .code("\(item.team?.rawValue ?? 0)"),
                    .tag(item.kind.rawValue), words.isEmpty ? .text(item.why) : .both(.text(item.why), .text(words)),
                    .instant(item.at), .number(Int128(item.times)), .number(Int128(item.sources)),
                ] + (mayAct ? [.links(ModerationForm.links(of: item, item.player.flatMap { names[$0] }))] : [])
            }, empty: query["kind"] == nil ? "Nothing to review." : "Nothing of this kind to review.")
        table.next = rows.next.map { rows.address(path, after: $0) }
        table.csv = rows.same(path + ".csv")
        let kinds =
            [ConsoleLink("All", path)]
            + QueueItem.Kind.allCases.map { kind in ConsoleLink(kind.rawValue, "\(path)?kind=\(kind.rawValue)") }
        page.add(nil, [.links(kinds), .table(table)])
        return sessions.reply(page)
    }
}
