import enum Contract.ProblemName
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

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
        _ request: Request, _ service: FeedService, suffix: FeedFormat?,
        of subject: @escaping @Sendable (FeedQuery) -> Rankings.Subject
    ) async throws -> Response {
        let teams = teams(service, of: subject)
        return try await feeds.serve(request, service, suffix: suffix, read: teams.read, describe: teams.describe)
    }

    /// The rows of a ranking of teams from the top.
    func teams(_ service: FeedService, of subject: @escaping @Sendable (FeedQuery) -> Rankings.Subject) -> FeedSource<
        TeamRanking
    > {
        FeedSource { query, _ in
            let versions = self.rankings.versions
            let board = try await self.rankings.board(subject(query))
            guard board.teams != .off else { throw Problem.noTeamRanking }
            let (pageRequest, days) = try query.pageRequest(of: board.id)
            let validator = try await self.rankings.teamValidator(
                of: board, window: query.window, days: days, since: versions)
            let teams = try await self.rankings.teamRanking(
                of: board, window: query.window, days: days, pageRequest: pageRequest, limitRows: query.limitRows)
            return FeedReading(teams, validator)
        } describe: { teams, query in
            .teams(
                teams, path: service.path, query: query.canonical, page: query.page,
                cursors: self.cursors(of: teams.ranking))
        }
    }
}

// A board among the members of a team.
extension RankingHandlers {
    /// `GET /v1/games/{game}/boards/{board}/players/me/team{.format}`
    func myTeamTop(_ request: Request, in game: Slug, on board: Slug, suffix: FeedFormat?) async throws -> Response {
        let player = try await callers.callingPlayer(request, in: game)
        let service = FeedService(
            route: Routes.v1.myTeamTop, path: Routes.v1.myTeamTop.path(game, board, nil), query: .friends,
            isPrivate: true, isCached: false)
        return try await feeds.serve(request, service, suffix: suffix) { query, format in
            let board = try await rankings.board(.score(game: game, board: board, season: query.season))
            let ranking = try await rankings.ranking(
                of: board, window: query.window, amongTeamOf: player, from: query.firstPlace,
                limitRows: query.limitRows, includesTotal: format.showsSize, includesDetails: format.showsDetails)
            guard let ranking else { throw Problem.inNoTeam }
            return FeedReading(ranking)
        } describe: { ranking, query in
            .standings(
                ranking, path: service.path, query: query.canonical, page: query.page, pictureAt: Routes.v1.avatar.path)
        }
    }

    /// The rows of the members of a team whom everybody may see.
    func ranking(of slug: Slug, in game: Slug, among team: Team.ID, _ query: FeedQuery, _ format: FeedFormat)
        async throws -> Ranking
    {
        guard case .from(let first) = query.selection else { throw Problem.teamHasNoCursors }
        let board = try await rankings.board(.score(game: game, board: slug, season: query.season))
        guard let shown = try await store.findTeam(team, in: game), shown.showsRoster else { throw Problem.noTeam }
        return try await rankings.ranking(
            of: board, window: query.window, amongTeam: team, from: first, limitRows: query.limitRows,
            includesTotal: format.showsSize, includesDetails: format.showsDetails)
    }
}

extension Problem {
    static let teamHasNoCursors = Problem(
        .malformed, "With team, ask for further places with from alone.", field: "team")
    static let noTeamRanking = Problem(.notFound, "This board ranks no teams. Its operator may turn that on.")
}
