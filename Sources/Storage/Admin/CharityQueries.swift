package import Domain
import Postgres
import Statements

extension CharityAdd {
    /// - Parameter change: With a name and a zone.
    init(_ slug: Slug, _ change: CharityChange, now: Instant) {
        let (columns, values) = CharityChange.settings.stored(change)
        self.init(slug: slug, columns: columns, values: values, now: now)
    }
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
    /// For a new charity. The statement that changes one ignores it.
    package var zone: String?

    /// Whether it changes a cap, which no donation may come in between.
    var changesCaps: Bool { capOfDay.isGiven || capInAll.isGiven }

    package init() {}
}
