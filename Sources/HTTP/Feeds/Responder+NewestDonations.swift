import Domain
import Feeds
import HTTPTypes
import Leaderboard

// The newest donations.
extension Responder {
    /// `GET /v1/donations{.format}`
    func newestDonations(_ request: Request, suffix: FeedFormat?) async throws -> Response {
        let path = Routes.newestDonations.path(nil)
        return try await donations(request, Routes.newestDonations, path, to: nil, page: Routes.home.path(), suffix)
    }

    /// `GET /v1/charities/{charity}/donations{.format}`
    func charityDonations(_ request: Request, to charity: Slug, suffix: FeedFormat?) async throws -> Response {
        let path = Routes.charityDonations.path(charity, nil)
        let page = Routes.charityPage.path(charity)
        return try await donations(request, Routes.charityDonations, path, to: charity, page: page, suffix)
    }

    private func donations(
        _ request: Request,
        _ route: any ServedRoute,
        _ path: String,
        to charity: Slug?,
        page: String,
        _ suffix: FeedFormat?
    ) async throws -> Response {
        let service = FeedService(route: route, path: path, query: FeedQuery.Shape(keys: []), page: page)
        return try await feed(request, service, suffix: suffix) { _, _ in
            let validator = rankings.donationValidator(since: rankings.versions)
            if let charity { _ = try await board(.charity(charity)) }
            let donations = try await rankings.newestDonations(to: charity, limitRows: Limits.newestDonationsRows)
            return FeedReading(donations, validator)
        } describe: { donations, _ in
            .donations(donations, path: path)
        }
    }
}
