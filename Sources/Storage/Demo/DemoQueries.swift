import Domain
import Postgres
import Statements

/// `demo_precheck.sql`
struct DemoPrecheck: Query {
    static let sql = SQL.demoPrecheck
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (isInUse: Bool, isBoardAsMade: Bool) {
        (try row.next(), try row.next())
    }
}

/// `demo_boards.sql`
struct DemoBoards: Query {
    static let sql = SQL.demoBoards
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (
        gameSlug: String, slug: String, game: Game.ID, board: Board.ID
    ) { (try row.next(), try row.next(), try row.next(), try row.next()) }
}

/// `demo_charities.sql`
struct DemoCharities: Query {
    static let sql = SQL.demoCharities
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (slug: String, id: Int32) {
        (try row.next(), try row.next())
    }
}

/// `demo_avatars.sql`
struct DemoAvatars: Query {
    typealias Row = Void
    static let sql = SQL.demoAvatars
    let hashes: [AvatarHash]
    let pictures: [[UInt8]]
    let now: Instant
    var binds: Binds { [hashes.map { Bytes($0.bytes) }, pictures.map { Bytes($0) }, now] }
}

/// `demo_copy_players.sql`
struct DemoCopyPlayers: Query {
    typealias Row = Void
    static let sql = SQL.demoCopyPlayers
}

/// `demo_scores.sql`
struct DemoScores: Query {
    typealias Row = Void
    static let sql = SQL.demoScores
    let rows: DemoRows.Scores
    var binds: Binds {
        [rows.players, rows.ids, rows.boards, rows.points, rows.earned, rows.areImprovements, rows.reachedAt]
    }
}

/// `demo_copy_score_notes.sql`
struct DemoCopyScoreNotes: Query {
    typealias Row = Void
    static let sql = SQL.demoCopyScoreNotes
}

/// `demo_donations.sql`
struct DemoDonations: Query {
    typealias Row = Void
    static let sql = SQL.demoDonations
    let rows: DemoRows.Donations
    var binds: Binds { [rows.players, rows.ids, rows.charities, rows.points, rows.areAnonymous, rows.reachedAt] }
}

/// `demo_wallets.sql`
struct DemoWallets: Query {
    typealias Row = Void
    static let sql = SQL.demoWallets
    let players: [Int64]
    var binds: Binds { [players] }
}

/// `demo_standings.sql`
struct DemoStandings: Query {
    typealias Row = Void
    static let sql = SQL.demoStandings
    let players: [Int64]
    var binds: Binds { [players] }
}

/// `demo_tallies.sql`
struct DemoTallies: Query {
    typealias Row = Void
    static let sql = SQL.demoTallies
    let players: [Int64]
    var binds: Binds { [players] }
}

/// `demo_donation_standings.sql`
struct DemoDonationStandings: Query {
    typealias Row = Void
    static let sql = SQL.demoDonationStandings
    let players: [Int64]
    var binds: Binds { [players] }
}

/// `demo_charity_totals.sql`
struct DemoCharityTotals: Query {
    typealias Row = Void
    static let sql = SQL.demoCharityTotals
    let players: [Int64]
    var binds: Binds { [players] }
}

/// `demo_donation_tallies.sql`
struct DemoDonationTallies: Query {
    typealias Row = Void
    static let sql = SQL.demoDonationTallies
    let players: [Int64]
    var binds: Binds { [players] }
}

/// `demo_hold_books.sql`
struct DemoHoldBooks: Query {
    static let sql = SQL.demoHoldBooks
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> String { try row.next() }
}
