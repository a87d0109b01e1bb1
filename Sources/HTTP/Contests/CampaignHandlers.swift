import enum Contract.ProblemName
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// Campaigns, as everybody sees them.
final class CampaignHandlers: RouteHandlers {
    let rankings: Rankings
    let feeds: FeedServer
    let replies: Replies
    /// Ranks the days of campaigns.
    let boards: RankingHandlers
    let clock: ServerClock

    init(rankings: Rankings, boards: RankingHandlers, clock: ServerClock, feeds: FeedServer, replies: Replies) {
        (self.rankings, self.boards, self.clock) = (rankings, boards, clock)
        (self.feeds, self.replies) = (feeds, replies)
    }

    static func of(_ handlers: Handlers) -> CampaignHandlers { handlers.campaigns }

    /// `GET /v1/campaigns{.format}`
    func campaigns(_ request: Request, suffix: FeedFormat?) async throws -> Response {
        let service = FeedService(
            route: Routes.v1.campaigns, path: Routes.v1.campaigns.path(nil), query: .campaigns,
            page: Routes.pages.campaignsPage.path())
        return try await feeds.serve(request, service, suffix: suffix) { query, _ in
            let versions = rankings.versions
            let all = try await rankings.campaigns()
            let first = Int(clamping: query.firstPlace - 1)
            let shown = all.dropFirst(first).prefix(query.limitRows)
            let list = CampaignList(rows: Array(shown), size: all.count, at: versions.at)
            let changes = shown.compactMap { $0.nextChange(after: versions.at) }
            return FeedReading(list, rankings.campaignValidator(since: versions)?.until(changes.min()))
        } describe: { list, query in
            .campaigns(list, path: service.path, query: query.canonical, page: query.page)
        }
    }

    /// A campaign and its progress.
    private struct Shown: Equatable {
        let campaign: Campaign
        let at: Campaign.State
        /// Nil over a score board.
        let progress: CampaignProgress?
    }

    /// `GET /v1/campaigns/{campaign}`
    func campaign(_ request: Request, _ slug: Slug) async throws -> Response {
        let isGzip = Entity.takesGzip(request.headers)
        return try await document(of: slug, key(of: slug, isGzip: isGzip), isGzip: isGzip).entity.response(
            to: request.headers)
    }

    /// The key of a campaign's document in the ``FeedCache``.
    func key(of slug: Slug, isGzip: Bool) -> String { "campaign \(isGzip) \(slug)" }

    /// A campaign's document, from the cache or rendered now.
    /// - Throws: 404 when there is no such campaign.
    func document(of slug: Slug, _ key: String, isGzip: Bool) async throws -> FeedCache.Rendered {
        try await feeds.cache.feed(key) {
            let versions = rankings.versions
            let campaign = try await campaign(slug)
            let validator = try await rankings.validator(of: campaign, since: versions)
            let progress = try await rankings.progress(of: campaign)
            return FeedReading(
                Shown(campaign: campaign, at: campaign.state(at: versions.at), progress: progress), validator)
        } render: { shown in
            let tree = JSONTree.object(shown.campaign.members(in: shown.at, shown.progress))
            return Entity(bytes: tree.bytes(links: replies.links), contentType: "application/json", isGzip: isGzip)
        }
    }

    /// `GET /v1/campaigns/{campaign}/top{.format}`
    func campaignTop(_ request: Request, _ slug: Slug, suffix: FeedFormat?) async throws -> Response {
        let service = topService(of: slug)
        let top = top(service, of: slug)
        return try await feeds.serve(request, service, suffix: suffix, read: top.read, describe: top.describe)
    }

    func topService(of slug: Slug) -> FeedService {
        FeedService(
            route: Routes.v1.campaignTop, path: Routes.v1.campaignTop.path(slug, nil), query: .campaign,
            page: Routes.pages.campaignPage.path(slug))
    }

    /// The players on a campaign's days.
    func top(_ service: FeedService, of slug: Slug) -> FeedSource<Ranking> {
        onDays(of: slug) { subject in self.boards.top(service) { _ in subject } }
    }

    /// `GET /v1/campaigns/{campaign}/teams/top{.format}`
    func campaignTeams(_ request: Request, _ slug: Slug, suffix: FeedFormat?) async throws -> Response {
        let service = FeedService(
            route: Routes.v1.campaignTeams, path: Routes.v1.campaignTeams.path(slug, nil), query: .campaignTeams)
        let teams = onDays(of: slug) { subject in self.boards.teams(service) { _ in subject } }
        return try await feeds.serve(request, service, suffix: suffix, read: teams.read, describe: teams.describe)
    }

    /// A ranking of the board and the days of a campaign, until either changes.
    private func onDays<Source>(of slug: Slug, _ source: @escaping @Sendable (Rankings.Subject) -> FeedSource<Source>)
        -> FeedSource<Source>
    {
        FeedSource { query, format in
            let versions = self.rankings.versions
            let campaign = try await self.campaign(slug)
            let settings = self.rankings.campaignValidator(since: versions)?.until(
                campaign.nextChange(after: versions.at))
            var query = query
            query.window = campaign.window
            let reading = try await source(Rankings.Subject(campaign)).read(query, format)
            return FeedReading(reading.source, CacheValidator.all(of: [settings, reading.validator]))
        } describe: { found, query in
            try await source(.contributors).describe(found, query)
        }
    }

    func campaign(_ slug: Slug) async throws -> Campaign {
        guard let campaign = try await rankings.findCampaign(slug) else { throw Problem.noCampaign }
        return campaign
    }
}

extension FeedQuery.Shape {
    fileprivate static let campaigns = FeedQuery.Shape(keys: [.limit, .from], standardRows: Limits.feedRowsMax)
    fileprivate static let campaign = FeedQuery.Shape(keys: [.limit, .page])
    fileprivate static let campaignTeams = FeedQuery.Shape(keys: [.limit, .after, .before, .from])
}

extension Problem { static let noCampaign = Problem(.notFound, "There is no such campaign. Name it by its slug.") }

extension Campaign {
    /// - Parameter progress: Nil in a list, and over a score board.
    func members(in state: State, _ progress: CampaignProgress? = nil) -> [JSONTree.Member] {
        var members: [JSONTree.Member] = [
            .init("slug", .text(slug.description)), .init("name", .text(name)), .init("text", .text(ifAny: text)),
        ]
        switch subject {
        case .charity: members.append(.init("charity", .text(charityName)))
        case .board(let game, let board, let season):
            members += [
                .init("game", .text(game.description)), .init("board", .text(board.description)),
                .init("season", .integer(Int128(season))),
            ]
        }
        members += [
            .init("first_day", .text(days.lowerBound.isoDate)), .init("last_day", .text(days.upperBound.isoDate)),
            .init("from", .instant(span.lowerBound)), .init("until", .instant(span.upperBound)),
            .init("state", .text(state.rawValue)), .init("final", .boolean(state == .over)),
            .init("cohort", cohortSize.map { .integer(Int128($0)) } ?? .none),
            .init("goal", goal.map { .integer(Int128($0)) } ?? .none),
        ]
        guard let progress else { return members }
        let milestones = progress.milestones.map { milestone in
            JSONTree.object([
                .init("points", .integer(Int128(milestone.points))), .init("name", .text(milestone.name)),
                .init("reached_at", .instant(ifAny: milestone.reachedAt)),
            ])
        }
        return members + [
            .init("points", .integer(progress.points)),
            .init("progress", Charity.tenths(of: progress.points, goal: goal).map { .tenths($0) } ?? .none),
            .init("contributors", .integer(Int128(progress.contributors))), .init("milestones", .list(milestones)),
            .init("to_next", progress.toNext.map { .integer($0) } ?? .none),
        ]
    }
}
