import enum Contract.ProblemName
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard

// Rankings of teams, by the points of their members.
extension RankingHandlers {
    /// `GET /v1/games/{game}/boards/{board}/teams/top{.format}`
    func boardTeams(_ request: Request, in game: Slug, on board: Slug, suffix: FeedFormat?) async throws -> Response {
        let service = FeedService(
            route: Routes.v1.boardTeams, path: Routes.v1.boardTeams.path(game, board, nil), query: .teams,
            page: Routes.pages.teamsPage.path(game, board))
        return try await teams(request, service, suffix: suffix) { query in
            .score(game: game, board: board, season: query.season)
        }
    }

    /// `GET /v1/charities/{charity}/teams/top{.format}`
    func charityTeams(_ request: Request, of charity: Slug, suffix: FeedFormat?) async throws -> Response {
        let service = FeedService(
            route: Routes.v1.charityTeams, path: Routes.v1.charityTeams.path(charity, nil), query: .donorTeams)
        return try await teams(request, service, suffix: suffix) { _ in .charity(charity) }
    }

    /// `GET /v1/contributors/teams/top{.format}`
    func contributorTeams(_ request: Request, suffix: FeedFormat?) async throws -> Response {
        let service = FeedService(
            route: Routes.v1.contributorTeams, path: Routes.v1.contributorTeams.path(nil), query: .donorTeams)
        return try await teams(request, service, suffix: suffix) { _ in .contributors }
    }

    private func teams(
        _ request: Request, _ service: FeedService, suffix: FeedFormat?, of subject: (FeedQuery) -> Rankings.Subject
    ) async throws -> Response {
        try await feeds.serve(request, service, suffix: suffix) { query, _ in
            let versions = rankings.versions
            let board = try await rankings.board(subject(query))
            guard board.teams != .off else { throw Problem.noTeamRanking }
            let (pageRequest, days) = try query.pageRequest(of: board.id)
            let validator = try await rankings.teamValidator(
                of: board, window: query.window, days: days, since: versions)
            let teams = try await rankings.teamRanking(
                of: board, window: query.window, days: days, pageRequest: pageRequest, limitRows: query.limitRows)
            return FeedReading(teams, validator)
        } describe: { teams, query in
            .teams(
                teams, path: service.path, query: query.canonical, page: query.page, cursors: cursors(of: teams.ranking)
            )
        }
    }
}

extension Problem {
    static let noTeamRanking = Problem(.notFound, "This board ranks no teams. Its operator may turn that on.")
}
