import enum Contract.Reply
import struct Contract.Timestamp
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
            let progress: KeyValuePairs<Reply.Charity.CodingKeys, JSONTree> = [
                .progress: .value(place.charity.progressTenths.map(Value.tenths) ?? .none)
            ]
            let tree = JSONTree(reply(of: place), progress)
            return Entity(bytes: tree.bytes(links: replies.links), contentType: "application/json", isGzip: isGzip)
        }
    }

    /// Without `progress`, because a `Double` cannot hold all its digits.
    private func reply(of place: CharityPlace) -> Reply.Charity {
        let charity = place.charity
        return Reply.Charity(
            slug: charity.slug, name: charity.name, rank: Int(place.rank.number), tied: place.rank.isTied, of: place.of,
            points: charity.points, contributors: Int(charity.contributors), goal: charity.goal, progress: nil,
            url: charity.url.map(replies.links.resolved), description: charity.description,
            reachedAt: charity.reachedAt.map(Timestamp.init), opensAt: charity.opensAt.map(Timestamp.init),
            closesAt: charity.closesAt.map(Timestamp.init), final: charity.isFinal,
            coolingOff: Int(charity.coolingOffMinutes), capDay: charity.caps.day, capAll: charity.caps.all)
    }
}
