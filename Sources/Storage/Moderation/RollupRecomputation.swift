import Domain
import FoundationEssentials
import Postgres
import Statements

/// Makes all that is derived from players' ledger rows what the ledgers say, in the transaction that changed them. The
/// players' wallets are locked. Charities' totals are locked last, in the order in which donations lock them.
struct RollupRecomputation {
    let players: [Player.ID]
    /// The action that is the cause; nil when a player is, by a post or by taking a donation back.
    let action: UUID?
    let now: Instant
    /// Other players on whose days these players may have rows, because they were one with them.
    var daysOf: [Player.ID] = []
    /// Donations that were taken back, or are donated again.
    var reversals: [(row: LedgerRowID, isReversed: Bool)] = []

    /// Does so after scores changed their state.
    func recomputeScores(on connection: Connection) async throws(PostgresError) {
        for player in players {
            try await connection.run(all: [
                StandingsRecompute(player: player), TalliesRecompute(player: player, daysOf: daysOf),
                BestPostsForget(player: player),
            ])
        }
    }

    /// Funds donations as far as the wallets reach, the oldest first, and does so for what was donated.
    /// - Parameter donated: What charities receive beside that in the same transaction.
    func recomputeDonations(beside donated: [CharityTotalsAdd.Total] = [], on connection: Connection)
        async throws(PostgresError)
    {
        var totals = donated
        for player in players {
            try await connection.run(DonationsFund(player: player, action: action, now: now))
            totals += try await connection.rows(DonationStandingsRecompute(player: player, now: now))
            try await connection.run(DonationTalliesRecompute(player: player, daysOf: daysOf))
        }
        if !reversals.isEmpty {
            let charities = try await connection.rows(CapsReversedLock(donations: reversals.map { $0.row }))
            if !charities.isEmpty { try await connection.run(CapsReverse(donations: reversals)) }
        }
        if totals.isEmpty { return }
        let add = CharityTotalsAdd(totals: totals)
        let charities = add.totals.map { $0.charity }
        _ = try await connection.rows(CharityTotalsLock(charities: charities))
        try await connection.run(all: [add, CharityTotalsDate(charities: charities)])
    }
}

/// `standings_recompute.sql`
struct StandingsRecompute: Query {
    typealias Row = Void
    static let sql = SQL.standingsRecompute
    let player: Player.ID
    var binds: Binds { [player] }
}

/// `tallies_recompute.sql`
struct TalliesRecompute: Query {
    typealias Row = Void
    static let sql = SQL.talliesRecompute
    let player: Player.ID
    let daysOf: [Player.ID]
    var binds: Binds { [player, daysOf] }
}

/// `donations_fund.sql`
struct DonationsFund: Query {
    typealias Row = Void
    static let sql = SQL.donationsFund
    let player: Player.ID
    let action: UUID?
    let now: Instant
    var binds: Binds { [player, action, now] }
}

/// `donation_standings_recompute.sql`
struct DonationStandingsRecompute: Query {
    static let sql = SQL.donationStandingsRecompute
    let player: Player.ID
    let now: Instant
    var binds: Binds { [player, now] }
    /// What each charity received more or less, in the order of their ids.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> CharityTotalsAdd.Total {
        try CharityTotalsAdd.Total(
            charity: row.next(), points: row.next(), newContributors: row.next(), reachedAt: row.next())
    }
}

/// `donation_tallies_recompute.sql`
struct DonationTalliesRecompute: Query {
    typealias Row = Void
    static let sql = SQL.donationTalliesRecompute
    let player: Player.ID
    let daysOf: [Player.ID]
    var binds: Binds { [player, daysOf] }
}

/// `charity_totals_lock.sql`
struct CharityTotalsLock: Query {
    static let sql = SQL.charityTotalsLock
    let charities: [Int32]
    var binds: Binds { [charities] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int32 { try row.next() }
}

/// `charity_totals_date.sql`
struct CharityTotalsDate: Query {
    typealias Row = Void
    static let sql = SQL.charityTotalsDate
    let charities: [Int32]
    var binds: Binds { [charities] }
}
