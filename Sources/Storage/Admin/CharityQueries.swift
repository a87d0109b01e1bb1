package import Domain
import Postgres
import Statements

/// `charity_add.sql`
struct CharityAdd: Query {
    static let sql = SQL.charityAdd
    let slug: Slug
    let charity: CharityChange
    let zone: String
    let now: Instant
    var binds: Binds {
        let name = charity.name?.description ?? slug.description
        return [
            slug, name, charity.name.map(CharityName.folded) ?? name, NameSkeleton(of: name).description,
            charity.url.value, charity.description.value, charity.goal.value, charity.opensAt.value,
            charity.closesAt.value, zone, now, charity.coolingOffMinutes ?? 0, charity.capOfDay.value,
            charity.capInAll.value,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> AdminOutcome { try row.next() }
}

/// `charity_set.sql`
struct CharitySet: Query {
    static let sql = SQL.charitySet
    let slug: Slug
    let change: CharityChange
    /// The version that the settings must have; nil for any.
    let version: String?
    var binds: Binds {
        [
            slug, change.name, change.name.map(CharityName.folded),
            change.name.map { NameSkeleton(of: $0.description).description },
            change.url.isGiven ? change.url.value ?? "" : nil,
            change.description.isGiven ? change.description.value ?? "" : nil, change.goal.isGiven, change.goal.value,
            change.opensAt.isGiven, change.opensAt.value, change.closesAt.isGiven, change.closesAt.value, version,
            change.coolingOffMinutes, change.capOfDay.isGiven, change.capOfDay.value, change.capInAll.isGiven,
            change.capInAll.value,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> AdminOutcome { try row.next() }
}

extension CharityListing: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try CharityListing(
            slug: row.next(), name: row.next(), url: row.next(), description: row.next(), goal: row.next(),
            opensAt: row.next(), closesAt: row.next(), zone: row.next(), coolingOffMinutes: row.next(),
            caps: CharityCaps(day: row.next(), all: row.next()), version: row.next())
    }
}

/// The settings of a new charity, or a change of an existing one's; nil and `.keep` leave a setting as it is.
package struct CharityChange: Sendable {
    package var name: DisplayName?
    package var url = Patch<String>.keep
    package var description = Patch<String>.keep
    package var goal = Patch<Int64>.keep
    package var opensAt = Patch<Instant>.keep
    package var closesAt = Patch<Instant>.keep
    /// Minutes in which whoever donated may take it back.
    package var coolingOffMinutes: Int32?
    package var capOfDay = Patch<Int64>.keep
    package var capInAll = Patch<Int64>.keep
    /// Set for a new charity only: it cannot change later.
    var zone: String?

    /// Whether it changes a cap, which no donation may come in between.
    var changesCaps: Bool { capOfDay.isGiven || capInAll.isGiven }

    package init() {}
}
