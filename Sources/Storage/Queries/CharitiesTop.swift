import Domain
import Postgres
import Statements

/// `charities_top.sql`
struct CharitiesTop: Query {
    static let sql = SQL.charitiesTop
    let rows: Int32
    let now: Instant
    var binds: Binds { [rows, now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Charity {
        let slug: String = try row.next()
        let name: String = try row.next()
        let points: Int128 = try row.next()
        let contributors: Int64 = try row.next()
        let reachedAt: Instant? = try row.next()
        let goal: Int64? = try row.next()
        let url: String? = try row.next()
        let description: String? = try row.next()
        let isFinal: Bool? = try row.next()
        return Charity(
            slug: slug, name: name, points: points, contributors: contributors, reachedAt: reachedAt, goal: goal, url: url,
            description: description, isFinal: isFinal ?? false)
    }
}
