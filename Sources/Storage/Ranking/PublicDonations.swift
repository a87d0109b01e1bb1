import Domain
import Postgres
import Statements

/// `donations_newest.sql`
struct DonationsNewest: Query {
    static let sql = SQL.donationsNewest
    /// Nil for all charities.
    let charity: Slug?
    let limitRows: Int32
    var binds: Binds { [charity, limitRows, Limits.donationsLookedAt] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PublicDonation {
        try PublicDonation(reading: &row)
    }
}

/// `charity_largest.sql`
struct CharityLargest: Query {
    static let sql = SQL.charityLargest
    let charity: Slug
    var binds: Binds { [charity] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> LedgerRowID {
        try LedgerRowID(owner: row.next(), id: row.next())
    }
}

/// `donation_shown.sql`
struct DonationShown: Query {
    static let sql = SQL.donationShown
    let donation: LedgerRowID
    var binds: Binds { [donation.owner, donation.id] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PublicDonation {
        try PublicDonation(reading: &row)
    }
}

/// `charity_days.sql`
struct CharityDays: Query {
    static let sql = SQL.charityDays
    let charity: Slug
    var binds: Binds { [charity] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> CharityGrowth.DayTotal {
        try CharityGrowth.DayTotal(day: row.next(), points: row.next())
    }
}

/// `charity_games.sql`
struct CharityGames: Query {
    static let sql = SQL.charityGames
    let charity: Slug
    let limitRows: Int32
    var binds: Binds { [charity, limitRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> CharityGrowth.GameShare {
        try CharityGrowth.GameShare(game: row.next(), gameName: row.next(), points: row.next())
    }
}

/// `players_named.sql`
struct PlayersNamed: Query {
    static let sql = SQL.playersNamed
    let game: Slug
    let name: String
    let board: Board.ID
    let limitRows: Int32
    var binds: Binds { [game, name, board, limitRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Player.ID { try row.next() }
}

extension PublicDonation {
    fileprivate init(reading row: inout RowReader) throws(DecodingFailure) {
        let player: Player.ID? = try row.next()
        let name: String? = try row.next()
        try self.init(
            player: player, name: name ?? "", avatar: row.next(), charity: row.next(), charityName: row.next(),
            points: row.next(), reachedAt: row.next(), day: row.next(), entry: row.next())
    }
}
