import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Pages
import Storage

// Pages of teams.
extension PageHandlers {
    /// `GET /games/{game}/boards/{board}/teams`
    func teamsPage(_ request: Request, in game: Slug, on slug: Slug) async throws -> Response {
        let query = try PageQuery(request, .contributors)
        let path = Routes.pages.teamsPage.path(game, slug)
        return try await pages.serve(request, Routes.pages.teamsPage, path: path, query) {
            let versions = rankings.versions
            let board = try await rankings.board(.score(game: game, board: slug, season: nil))
            guard board.teams != .off else { throw Problem.noTeamRanking }
            let validator = try await rankings.teamValidator(
                of: board, window: query.window, days: nil, since: versions)
            let teams = try await rankings.teamRanking(
                of: board, window: query.window, days: nil, pageRequest: .from(query.from), limitRows: TeamsPage.rowsMax
            )
            return FeedReading(TeamsPage(game: game.description, teams, from: query.from), validator)
        } render: { page, context in
            page.html(in: context)
        }
    }

    /// `GET /games/{game}/teams/{team}`
    func teamPage(_ request: Request, in game: Slug, _ id: String) async throws -> Response {
        let query = try PageQuery(request)
        guard let id = Team.ID(digits: id[...]) else { throw Problem.noTeam }
        let path = Routes.pages.teamPage.path(game, String(id.rawValue))
        return try await pages.serve(request, Routes.pages.teamPage, path: path, query) {
            guard let team = try await store.findTeam(id, in: game) else { throw Problem.noTeam }
            let name = try await rankings.listedGames().first { $0.slug == game }?.name ?? game.description
            let roster = team.showsRoster ? try await store.roster(of: id, withUnlisted: false) : []
            return FeedReading(TeamPage(game: game.description, gameName: name, team, roster: roster))
        } render: { page, context in
            page.html(in: context)
        }
    }
}
