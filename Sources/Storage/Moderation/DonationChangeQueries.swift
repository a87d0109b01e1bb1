import Domain
import FoundationEssentials
import Postgres
import Statements

// The statements that change what was donated. Whoever runs them has locked the wallet.

/// `donation_changeable.sql`
struct DonationChangeable: Query {
    static let sql = SQL.donationChangeable
    let player: Player.ID
    let donation: UUID
    let charity: Slug
    var binds: Binds { [player, donation, charity] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Found {
        try Found(owner: row.next(), isAnonymous: row.next(), isReversed: row.next(), reversibleUntil: row.next())
    }

    struct Found {
        /// Whose row it is.
        let owner: Player.ID
        let isAnonymous: Bool
        let isReversed: Bool
        /// The end of its cooling off, or of the charity if that is earlier.
        let reversibleUntil: Instant
    }
}

/// `donation_anonymise.sql`
struct DonationAnonymise: Query {
    typealias Row = Void
    static let sql = SQL.donationAnonymise
    let donation: LedgerRowID
    var binds: Binds { [donation.owner, donation.id] }
}
