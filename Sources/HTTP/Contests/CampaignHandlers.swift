import enum Contract.ProblemName
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// Campaigns, as everybody sees them.
final class CampaignHandlers: RouteHandlers {
    let store: Store
    let rankings: RankingHandlers
    let clock: ServerClock
    let feeds: FeedServer
    let replies: Replies

    init(store: Store, rankings: RankingHandlers, clock: ServerClock, feeds: FeedServer, replies: Replies) {
        (self.store, self.rankings, self.clock) = (store, rankings, clock)
        (self.feeds, self.replies) = (feeds, replies)
    }

    static func of(_ handlers: Handlers) -> CampaignHandlers { handlers.campaigns }

    /// `GET /v1/campaigns`
    func campaigns(_ request: Request) async throws -> Response {
        let now = clock.now
        let rows = try await store.campaigns().map { JSONTree.object($0.members(at: now)) }
        return replies.cacheable(request, .object([.init("campaigns", .list(rows))]))
    }

    /// A campaign and how it stands.
    private struct Shown: Equatable {
        let campaign: Campaign
        let state: Campaign.State
        /// Nil over a score board.
        let progress: CampaignProgress?
    }

    /// `GET /v1/campaigns/{campaign}`. It is made again when the rows of its days have changed.
    func campaign(_ request: Request, _ slug: Slug) async throws -> Response {
        let isGzip = Entity.takesGzip(request.headers)
        let campaign = try await campaign(slug)
        // The settings are in the key, as no stream tells of a change.
        let key = "campaign \(isGzip) \(slug) \(campaign.version) \(campaign.state(at: clock.now).rawValue)"
        return try await feeds.cache.feed(key) {
            let versions = self.rankings.rankings.versions
            let board = try await self.rankings.rankings.board(Rankings.Subject(campaign))
            let validator = try await self.rankings.rankings.validator(
                of: board, window: campaign.window, days: campaign.days, since: versions)
            let progress = campaign.subject.hasGoal ? try await self.store.campaignProgress(slug) : nil
            let shown = Shown(campaign: campaign, state: campaign.state(at: self.clock.now), progress: progress)
            return FeedReading(shown, validator)
        } render: { shown in
            let tree = JSONTree.object(shown.campaign.members(at: self.clock.now, shown.progress))
            return Entity(bytes: tree.bytes(links: self.replies.links), contentType: "application/json", isGzip: isGzip)
        }.entity.response(to: request.headers)
    }

    /// `GET /v1/campaigns/{campaign}/top{.format}`: the ranking of its days.
    func campaignTop(_ request: Request, _ slug: Slug, suffix: FeedFormat?) async throws -> Response {
        let campaign = try await campaign(slug)
        let service = FeedService(
            route: Routes.v1.campaignTop, path: Routes.v1.campaignTop.path(slug, nil), query: .campaign,
            // A campaign that gets other days has other rows under the same address.
            isCached: false)
        let top = rankings.top(service) { _ in Rankings.Subject(campaign) }
        return try await feeds.serve(request, service, suffix: suffix) { query, format in
            var query = query
            query.window = campaign.window
            return try await top.read(query, format)
        } describe: { ranking, query in
            try await top.describe(ranking, query)
        }
    }

    private func campaign(_ slug: Slug) async throws -> Campaign {
        guard let campaign = try await store.findCampaign(slug) else { throw Problem.noCampaign }
        return campaign
    }
}

extension FeedQuery.Shape { fileprivate static let campaign = FeedQuery.Shape(keys: [.limit, .page]) }

extension Problem { static let noCampaign = Problem(.notFound, "There is no such campaign. Name it by its slug.") }

extension Campaign {
    /// - Parameter progress: Nil in a list, and over a score board.
    func members(at now: Instant, _ progress: CampaignProgress? = nil) -> [JSONTree.Member] {
        let state = state(at: now)
        var members: [JSONTree.Member] = [
            .init("slug", .text(slug.description)), .init("name", .text(name)), .init("text", .text(ifAny: text)),
        ]
        switch subject {
        case .charity(let charity):
            members.append(.init("charity", .text(charity == .overall ? "all" : charity.description)))
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
