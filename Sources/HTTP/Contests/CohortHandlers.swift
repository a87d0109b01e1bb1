import enum Contract.ProblemName
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// Enters players in campaigns, and ranks their cohorts.
final class CohortHandlers: RouteHandlers {
    let store: Store
    let campaigns: CampaignHandlers
    let clock: ServerClock
    let callers: Callers
    let rates: RequestRates

    init(store: Store, campaigns: CampaignHandlers, clock: ServerClock, callers: Callers, rates: RequestRates) {
        (self.store, self.campaigns, self.clock) = (store, campaigns, clock)
        (self.callers, self.rates) = (callers, rates)
    }

    static func of(_ handlers: Handlers) -> CohortHandlers { handlers.cohorts }

    /// `PUT /v1/campaigns/{campaign}/entry`
    func enterCampaign(_ request: Request, _ slug: Slug) async throws -> Response {
        let token = try callers.playerToken(request)
        let device = try await callers.writingDevice(token)
        // The campaign is locked only for players who may enter it.
        if let place = try await store.findCohort(of: device.player, in: slug) {
            return response(place, at: slug, isReplay: true)
        }
        let campaign = try await campaigns.campaign(slug)
        if campaign.cohortSize == nil { throw Problem.noCohorts }
        if campaign.state(at: clock.now) == .over { throw Problem.campaignOver }
        return try await rates.counting(rates.spender(device), in: .playerChallenges) {
            let entry = try await store.enter(slug, by: device.player, with: token, now: clock.now)
            try Self.check(entry.outcome)
            guard let place = entry.place else { throw Problem.bug }
            let isReplay = entry.outcome == .known
            return (response(place, at: slug, isReplay: isReplay), counts: !isReplay)
        }
    }

    private static func check(_ outcome: CohortOutcome) throws(Problem) {
        switch outcome {
        case .entered, .known: return
        case .noCampaign: throw Problem.noCampaign
        case .noCohorts: throw Problem.noCohorts
        case .otherGame: throw Problem.campaignOfOtherGame
        case .over: throw Problem.campaignOver
        case .unauthorized: throw Problem.unauthorized
        case .changed: throw Problem.busy
        }
    }

    private func response(_ place: (cohort: Int32, of: Int32), at slug: Slug, isReplay: Bool) -> Response {
        let tree = JSONTree.object([
            .init("cohort", .integer(Int128(place.cohort))), .init("of", .integer(Int128(place.of))),
        ])
        return campaigns.replies.written(tree, at: Routes.v1.cohort.path(slug, nil), isReplay: isReplay)
    }

    /// `GET /v1/campaigns/{campaign}/players/me/cohort{.format}`
    func cohort(_ request: Request, _ slug: Slug, suffix: FeedFormat?) async throws -> Response {
        let player = try await callers.callingPlayer(request, in: nil)
        let service = FeedService(
            route: Routes.v1.cohort, path: Routes.v1.cohort.path(slug, nil), query: .cohort, isPrivate: true,
            isCached: false)
        return try await campaigns.feeds.serve(request, service, suffix: suffix) { query, format in
            let campaign = try await campaigns.campaign(slug)
            let ranking = try await campaigns.rankings.ranking(
                of: campaign, amongCohortOf: player, from: query.firstPlace, limitRows: query.limitRows,
                includesTotal: format.showsSize, includesDetails: format.showsDetails)
            guard let ranking else { throw Problem.notEntered }
            return FeedReading(ranking)
        } describe: { ranking, query in
            .standings(
                ranking, path: service.path, query: query.canonical, page: query.page, pictureAt: Routes.v1.avatar.path)
        }
    }
}

extension FeedQuery.Shape { fileprivate static let cohort = FeedQuery.Shape(keys: [.limit, .from]) }

extension Problem {
    static let noCohorts = Problem(
        .forbidden, "This campaign has no cohorts, so players cannot enter it. Its operator can set cohort.")
    static let campaignOfOtherGame = Problem(
        .forbidden, "The campaign ranks a board of another game. Only players of that game can enter it.")
    static let campaignOver = Problem(.challengeOver, "The campaign is over. Nobody can enter it now.")
    static let notEntered = Problem(
        .notFound, "You have not entered this campaign. Send PUT /v1/campaigns/{campaign}/entry first.")
}
