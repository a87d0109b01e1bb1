import Domain
import HTTPServer
import HTTPTypes
import Leaderboard
import Pages

// The pages of campaigns.
extension PageHandlers {
    var campaigns: CampaignReader { CampaignReader(rankings: rankings, clock: clock) }

    /// `GET /campaigns`
    func campaignsPage(_ request: Request) async throws -> Response {
        let query = try PageQuery(request, .from)
        return try await pages.serve(
            request, Routes.pages.campaignsPage, path: Routes.pages.campaignsPage.path(), query
        ) {
            let (page, validator) = try await campaigns.page(from: query.from)
            return FeedReading(page, validator)
        } render: { page, context in
            page.html(in: context)
        }
    }

    /// `GET /campaigns/{campaign}`
    func campaignPage(_ request: Request, _ slug: Slug) async throws -> Response {
        let query = try PageQuery(request)
        let path = Routes.pages.campaignPage.path(slug)
        return try await pages.serve(request, Routes.pages.campaignPage, path: path, query) {
            let reading = try await campaigns.campaign(slug, rowsMax: CampaignPage.rowsMax)
            guard let top = reading.top else { throw Problem.noCampaign }
            let page = CampaignPage(reading.shown, top: top, anonymous: reading.anonymous)
            return FeedReading(page, reading.validator)
        } render: { page, context in
            page.html(in: context)
        }
    }
}
