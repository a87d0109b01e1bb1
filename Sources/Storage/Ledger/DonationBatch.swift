import Domain
import FoundationEssentials
import Postgres
import Statements

/// `donation_batch.sql`
struct DonationBatch: Query {
    static let sql = SQL.donationBatch
    let donations: [NewDonation]
    let now: Instant
    /// Whether an earlier attempt at this batch may have been committed.
    let isRepeated: Bool
    /// How many rows of the batch come before these.
    let scoresCount: Int
    var binds: Binds {
        [
            donations.map(\.caller.tokenBytes), donations.map(\.caller.keyBytes), donations.map(\.caller.deviceBytes),
            donations.map(\.caller.player),
            donations.map(\.game), donations.map(\.id), donations.map(\.charity.text),
            donations.map(\.charity.folded),
            donations.map(\.points), donations.map(\.isAnonymous), donations.map(\.hasNoClientID),
            donations.map(\.reachedAt), now, isRepeated,
            Int32(truncatingIfNeeded: scoresCount),
        ]
    }
    /// Receipts come in the order of the donations.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> DonationReceipt {
        let _: Int64 = try row.next()
        return try DonationReceipt(
            outcome: row.next(),
            row: row.next(),
            id: row.next(),
            charity: row.next(),
            points: row.next(),
            board: row.next(),
            ties: row.next(),
            balance: row.next()
        )
    }
}
