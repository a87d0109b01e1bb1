import Domain
import Feeds
import HTTPTypes
import Leaderboard

extension Responder {
    /// `GET /v1/charities/{charity}`
    func charity(_ request: Request, _ slug: Slug) async throws -> Response {
        let all = try await rankings.charities(pageRequest: .top, limitRows: .max)
        guard let index = all.rows.firstIndex(where: { $0.slug == slug.description }) else { throw Problem.noCharity }
        let charity = all.rows[index]
        return publicReply(
            request,
            .object([
                .init("slug", .text(charity.slug)), .init("name", .text(charity.name)),
                .init("rank", .integer(Int128(all.ranks[index].number))),
                .init("tied", .boolean(all.ranks[index].isTied)), .init("of", .integer(Int128(all.size))),
                .init("points", .integer(charity.points)),
                .init("contributors", .integer(Int128(charity.contributors))),
                .init("goal", charity.goal.map { .integer(Int128($0)) } ?? .none),
                .init("progress", charity.progressTenths.map(Value.tenths) ?? .none),
                .init("url", charity.url.map(Value.link) ?? .none),
                .init("description", .text(ifAny: charity.description)),
                .init("reached_at", .instant(ifAny: charity.reachedAt)),
                .init("opens_at", .instant(ifAny: charity.opensAt)),
                .init("closes_at", .instant(ifAny: charity.closesAt)), .init("final", .boolean(charity.isFinal)),
            ])
        )
    }
}
