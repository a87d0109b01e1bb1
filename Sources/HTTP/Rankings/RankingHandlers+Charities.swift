import enum Contract.Keys
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard

extension RankingHandlers {
    /// A charity among all others.
    struct CharityPlace: Equatable {
        let charity: Charity
        let rank: Rank
        /// The number of charities.
        let of: Int
    }

    /// `GET /v1/charities/{charity}`
    func charity(_ request: Request, _ slug: Slug) async throws -> Response {
        let isGzip = Entity.takesGzip(request.headers)
        let key = charityKey(slug, isGzip: isGzip)
        return try await charity(slug, key, isGzip: isGzip).entity.response(to: request.headers)
    }

    /// The key of a charity's document in the ``FeedCache``.
    func charityKey(_ slug: Slug, isGzip: Bool) -> String { "charity \(isGzip) \(slug)" }

    /// A charity's document, from the cache or rendered now.
    /// - Throws: 404 when there is no such charity.
    func charity(_ slug: Slug, _ key: String, isGzip: Bool) async throws -> FeedCache.Rendered {
        try await feeds.cache.feed(key) {
            let (charity, rank, size, validator) = try await rankings.charity(slug)
            return FeedReading(CharityPlace(charity: charity, rank: rank, of: size), validator)
        } render: { place in
            Entity(
                bytes: Self.tree(of: place).bytes(links: replies.links), contentType: "application/json", isGzip: isGzip
            )
        }
    }

    private static func tree(of place: CharityPlace) -> JSONTree {
        let charity = place.charity
        return .object([
            .init(Keys.Charity.slug, .text(charity.slug)), .init(Keys.Charity.name, .text(charity.name)),
            .init(Keys.Charity.rank, .integer(Int128(place.rank.number))), .init("tied", .boolean(place.rank.isTied)),
            .init("of", .integer(Int128(place.of))), .init(Keys.Charity.points, .integer(charity.points)),
            .init(Keys.Charity.contributors, .integer(Int128(charity.contributors))),
            .init(Keys.Charity.goal, charity.goal.map { .integer(Int128($0)) } ?? .none),
            .init(Keys.Charity.progress, charity.progressTenths.map(Value.tenths) ?? .none),
            .init(Keys.Charity.url, charity.url.map(Value.link) ?? .none),
            .init(Keys.Charity.description, .text(ifAny: charity.description)),
            .init("reached_at", .instant(ifAny: charity.reachedAt)),
            .init("opens_at", .instant(ifAny: charity.opensAt)), .init("closes_at", .instant(ifAny: charity.closesAt)),
            .init(Keys.Charity.final, .boolean(charity.isFinal)),
            .init("cooling_off", .integer(Int128(charity.coolingOffMinutes))),
            .init("cap_day", charity.caps.day.map { .integer(Int128($0)) } ?? .none),
            .init("cap_all", charity.caps.all.map { .integer(Int128($0)) } ?? .none),
        ])
    }
}
