import Domain
import Postgres
import Statements

// What was donated to charities that have a cap. No other charity's donations run these statements.

/// `caps_donated.sql`
struct CapsDonated: Query {
    static let sql = SQL.capsDonated
    /// In any order, some of them more than once.
    let rows: [DonationWrite]
    var binds: Binds { [rows.map { $0.charity.id }, rows.map { $0.charity.day }] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> CappedDonations.Entry {
        try CappedDonations.Entry(
            charity: row.next(), day: row.next(), donatedOnDay: row.next(), donatedInAll: row.next(),
            nextDay: row.next())
    }
}

/// `caps_add.sql`
struct CapsAdd: Query {
    typealias Row = Void
    static let sql = SQL.capsAdd
    let rows: [DonationWrite]
    var binds: Binds {
        [rows.map { $0.charity.id }, rows.map { $0.charity.day }, rows.map { Int128($0.donation.points) }]
    }
}

/// `caps_reversed_lock.sql`
struct CapsReversedLock: Query {
    static let sql = SQL.capsReversedLock
    let donations: [LedgerRowID]
    var binds: Binds { [donations.map { $0.owner }, donations.map { $0.id }] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int32 { try row.next() }
}

/// `caps_reverse.sql`
struct CapsReverse: Query {
    typealias Row = Void
    static let sql = SQL.capsReverse
    let donations: [(row: LedgerRowID, isReversed: Bool)]
    var binds: Binds { [donations.map { $0.row.owner }, donations.map { $0.row.id }, donations.map { $0.isReversed }] }
}
