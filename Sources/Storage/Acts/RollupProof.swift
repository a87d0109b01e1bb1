import Domain
import FoundationEssentials
import Postgres
import Statements

/// Makes all that is derived from players' ledger rows what the ledgers say, in the transaction that changed them. The
/// players' wallets are locked. Charities' totals are locked last, in the order in which donations lock them.
struct RollupProof {
    let players: [Player.ID]
    /// The act that is the cause; nil when a player is, by a post or by taking a donation back.
    let act: UUID?
    let now: Instant
    /// Other players on whose days these players may have rows, because they were one with them.
    var daysOf: [Player.ID] = []
    /// Donations that were taken back, or are given again.
    var reversals: [(row: LedgerRowID, isReversed: Bool)] = []

    /// Does so after scores changed their state.
    func proveScores(on connection: Connection) async throws(PostgresError) {
        for player in players {
            try await connection.run(all: [
                StandingsProve(player: player), TalliesProve(player: player, daysOf: daysOf),
                BestPostsForget(player: player),
            ])
        }
    }

    /// Funds donations as far as the wallets reach, the oldest first, and does so for what was given.
    /// - Parameter given: What charities receive beside that in the same transaction.
    func proveDonations(
        beside given: [CharityTotalsAdd.Total] = [],
        on connection: Connection
    ) async throws(PostgresError) {
        var totals = given
        for player in players {
            try await connection.run(DonationsFund(player: player, act: act, now: now))
            totals += try await connection.rows(GivingStandingsProve(player: player, now: now))
            try await connection.run(GivingTalliesProve(player: player, daysOf: daysOf))
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

/// `standings_prove.sql`
struct StandingsProve: Query {
    typealias Row = Void
    static let sql = SQL.standingsProve
    let player: Player.ID
    var binds: Binds { [player] }
}

/// `tallies_prove.sql`
struct TalliesProve: Query {
    typealias Row = Void
    static let sql = SQL.talliesProve
    let player: Player.ID
    let daysOf: [Player.ID]
    var binds: Binds { [player, daysOf] }
}

/// `donations_fund.sql`
struct DonationsFund: Query {
    typealias Row = Void
    static let sql = SQL.donationsFund
    let player: Player.ID
    let act: UUID?
    let now: Instant
    var binds: Binds { [player, act, now] }
}

/// `giving_standings_prove.sql`
struct GivingStandingsProve: Query {
    static let sql = SQL.givingStandingsProve
    let player: Player.ID
    let now: Instant
    var binds: Binds { [player, now] }
    /// What each charity received more or less, in the order of their ids.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> CharityTotalsAdd.Total {
        try CharityTotalsAdd.Total(
            charity: row.next(),
            points: row.next(),
            newContributors: row.next(),
            reachedAt: row.next()
        )
    }
}

/// `giving_tallies_prove.sql`
struct GivingTalliesProve: Query {
    typealias Row = Void
    static let sql = SQL.givingTalliesProve
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
