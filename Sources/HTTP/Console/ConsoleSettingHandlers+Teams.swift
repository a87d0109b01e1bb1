import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Pages
import Storage

// The teams of a game in the console.
extension ConsoleSettingHandlers {
    /// `GET /admin/games/{game}/teams`
    func consoleTeams(_ request: Request, of game: Slug, _ format: ListFormat?) async throws -> Response {
        let session = try await sessions.signedIn(request, .read)
        let rows = try await admin.teamsPage(request.parameters(), of: game)
        let path = Routes.console.teams.path(game, nil)
        if let format { return replies.list(AdminSettingHandlers.teamList, rows, at: path, as: format) }
        let mayAct = session.allows(.moderate)
        var page = sessions.page("Teams", .games, for: session)
        page.path = self.path(to: game)
        page.intro = "Everybody sees the name of a team, unless the team is hidden."
        var table = ConsoleTable(
            "By id",
            ["Team", "Id of the game", "State", "Made (UTC)"].map { ConsoleTable.Column($0) } + [
                ConsoleTable.Column("Members", isNumber: true)
            ] + (mayAct ? [ConsoleTable.Column("Act")] : []),
            rows.rows.map { team in
                let state = team.isHidden ? "hidden" : team.closedAt != nil ? "closed" : "open"
                let name = team.askedName.map { "\(team.name), waiting: \($0)" } ?? team.name
                return [
                    .both(.text(name), .code("\(team.id.rawValue)")), team.external.map { .code($0) } ?? .none,
                    .tag(state), .instant(team.madeAt), .number(Int128(team.membersCount)),
                ]
                    + (mayAct
                        ? [
                            .links([
                                ConsoleLink(
                                    "Rename", ModerationForm.address("rename", team: team.id), .button, about: team.name
                                ),
                                ConsoleLink(
                                    "Hide", ModerationForm.address("hide", team: team.id), .stop, about: team.name),
                            ])
                        ] : [])
            }, empty: "This game has no teams.")
        table.next = rows.next.map { rows.address(path, after: $0) }
        table.csv = rows.same(path + ".csv")
        page.add(nil, [.table(table)])
        return sessions.reply(page)
    }
}
