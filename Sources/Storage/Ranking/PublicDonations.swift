import Domain
import Postgres
import Statements

/// `donation_shown.sql`
struct DonationShown: Query {
    static let sql = SQL.donationShown
    let donation: LedgerRowID
    var binds: Binds { [donation.owner, donation.id] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PublicDonation {
        try PublicDonation(row: &row)
    }
}

extension PublicDonation: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let player: Player.ID? = try row.next()
        let name: String? = try row.next()
        try self.init(
            player: player, name: name ?? "", avatar: row.next(), charity: row.next(), charityName: row.next(),
            points: row.next(), reachedAt: row.next(), day: row.next(), entry: row.next())
    }
}
