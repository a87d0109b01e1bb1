import Domain
import FoundationEssentials
import Postgres
import Statements

// What the donations of a batch write: the ledger, and in the same transaction all that is derived from it.

/// A donation that is recorded.
struct DonationWrite: Sendable {
    let player: Player.ID
    let donation: NewDonation
    let charity: CharityGround
}

/// `donations_add.sql`
struct DonationsAdd: Query {
    typealias Row = Void
    static let sql = SQL.donationsAdd
    let rows: [DonationWrite]
    let now: Instant
    var binds: Binds {
        [
            rows.map { $0.player }, rows.map { $0.donation.id }, rows.map { $0.charity.id },
            rows.map { $0.donation.points },
            rows.map { $0.donation.isAnonymous }, rows.map { $0.donation.hasNoClientID },
            rows.map { $0.donation.reachedAt },
            rows.map { $0.charity.day }, now,
        ]
    }
}

/// `wallets_give.sql`
struct WalletsGive: Query {
    typealias Row = Void
    static let sql = SQL.walletsGive
    let rows: [DonationWrite]
    var binds: Binds { [rows.map { $0.player }, rows.map { $0.donation.points }] }
}

/// What a donation adds to one of the giving boards.
struct GivingEntry: Sendable {
    let board: Board.ID
    let day: Day
    /// The row on the board: the player's id, negated for an anonymous donation.
    let row: Int64
    let points: Int64
    let reachedAt: Instant
}

/// `tallies_give.sql`
struct TalliesGive: Query {
    typealias Row = Void
    static let sql = SQL.talliesGive
    let entries: [GivingEntry]
    var binds: Binds {
        [
            entries.map { $0.board }, entries.map { $0.day }, entries.map { $0.row }, entries.map { $0.points },
            entries.map { $0.reachedAt },
        ]
    }
}

/// `standings_give.sql`
struct StandingsGive: Query {
    typealias Row = Void
    static let sql = SQL.standingsGive
    let entries: [GivingEntry]
    var binds: Binds {
        [entries.map { $0.board }, entries.map { $0.row }, entries.map { $0.points }, entries.map { $0.reachedAt }]
    }
}

/// `charity_totals_add.sql`
struct CharityTotalsAdd: Query {
    typealias Row = Void
    static let sql = SQL.charityTotalsAdd

    struct Total: Sendable {
        let charity: Int32
        var points: Int128 = 0
        var newContributors: Int64 = 0
        var reachedAt: Instant
    }

    /// In the order of their charities' ids, one for each.
    let totals: [Total]

    init(totals: [Total]) {
        self.totals = totals
    }

    init(_ rows: [DonationWrite]) {
        var totals: [Int32: Total] = [:]
        for row in rows {
            var total =
                totals[row.charity.id] ?? Total(charity: row.charity.id, reachedAt: row.donation.reachedAt)
            total.points += Int128(row.donation.points)
            if !row.charity.hasGiven { total.newContributors += 1 }
            total.reachedAt = max(total.reachedAt, row.donation.reachedAt)
            totals[row.charity.id] = total
        }
        self.totals = totals.values.sorted { $0.charity < $1.charity }
    }

    var binds: Binds {
        [
            totals.map { $0.charity }, totals.map { $0.points }, totals.map { $0.newContributors },
            totals.map { $0.reachedAt },
        ]
    }
}

extension [DonationWrite] {
    /// The statements that write these rows.
    var writes: [any Query] {
        if isEmpty { return [] }
        let entries = flatMap { row -> [GivingEntry] in
            let (donation, charity) = (row.donation, row.charity)
            func entry(_ board: Board.ID, _ day: Day) -> GivingEntry {
                GivingEntry(
                    board: board,
                    day: day,
                    row: donation.row(of: row.player),
                    points: donation.points,
                    reachedAt: donation.reachedAt
                )
            }
            let overall = charity.overall.map { entry($0, donation.reachedAt.dayInUTC) }
            return [entry(charity.board, charity.day)] + (overall.map { [$0] } ?? [])
        }
        return [
            WalletsGive(rows: self), TalliesGive(entries: entries), StandingsGive(entries: entries),
            CharityTotalsAdd(self),
        ]
    }
}
