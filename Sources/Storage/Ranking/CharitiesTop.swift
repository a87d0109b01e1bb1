import Domain
import Postgres
import Statements

extension Charity: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let id: Int32 = try row.next()
        let slug: String = try row.next()
        let name: String = try row.next()
        let points: Int128 = try row.next()
        let contributors: Int64 = try row.next()
        let reachedAt: Instant? = try row.next()
        let goal: Int64? = try row.next()
        let url: String? = try row.next()
        let description: String? = try row.next()
        let opensAt: Instant? = try row.next()
        let closesAt: Instant? = try row.next()
        let isFinal: Bool? = try row.next()
        let coolingOffMinutes: Int32 = try row.next()
        let caps = try CharityCaps(day: row.next(), all: row.next())
        self = Charity(
            id: id, slug: slug, name: name, points: points, contributors: contributors, reachedAt: reachedAt,
            goal: goal, url: url, description: description, opensAt: opensAt, closesAt: closesAt,
            isFinal: isFinal ?? false, coolingOffMinutes: coolingOffMinutes, caps: caps)
    }
}
