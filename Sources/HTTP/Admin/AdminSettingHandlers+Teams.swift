import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

// The teams of a game. Moderation actions rename and hide them.
extension AdminSettingHandlers {
    /// `GET /v1/admin/games/{game}/teams`
    func adminTeams(_ request: Request, of game: Slug, _ format: ListFormat?) async throws -> Response {
        try await operators.admin(request, .read)
        let page = try await teamsPage(request.parameters(), of: game)
        return replies.list(Self.teamList, page, at: Routes.admin.teams.path(game, nil), as: format)
    }

    func teamsPage(_ query: QueryParameters, of game: Slug) async throws -> ListPage<TeamListing> {
        guard try await store.admin.findGame(game) != nil else { throw Problem.noGame }
        return try await replies.page(query, at: Routes.admin.teams.path(game, nil)) { page in
            try await store.admin.teams(
                of: game, after: page.after.map { Team.ID(rawValue: $0.number) },
                limitRows: Int32(clamping: page.limitRows + 1))
        } cursor: {
            ($0.id.rawValue, "")
        }
    }

    static let teamList = AdminList<TeamListing>(
        name: "teams",
        columns: [
            Column("id", .integer), Column("external", .text), Column("name", .text), Column("asked_name", .text),
            Column("members", .integer), Column("made_at", .instant), Column("closed_at", .instant),
            Column("hidden", .boolean),
        ]
    ) { team in
        [
            .value(.integer(Int128(team.id.rawValue))), .value(.text(ifAny: team.external)), .value(.text(team.name)),
            .value(.text(ifAny: team.askedName)), .value(.integer(Int128(team.membersCount))),
            .value(.instant(team.madeAt)), .value(.instant(ifAny: team.closedAt)), .value(.boolean(team.isHidden)),
        ]
    }
}
