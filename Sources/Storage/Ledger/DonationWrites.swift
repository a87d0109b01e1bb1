import Domain
import FoundationEssentials
import Postgres
import Statements

// What the donations of a batch write: the ledger, and in the same transaction all that is derived from it.

/// A donation that is recorded.
struct DonationWrite: Sendable {
    let player: Player.ID
    let donation: NewDonation
    let charity: CharityContext
}

/// `donations_add.sql`
struct DonationsAdd: Query {
    typealias Row = Void
    static let sql = SQL.donationsAdd
    let rows: [DonationWrite]
    let now: Instant
    /// What the rows were judged by, where that was memory.
    var versions = JudgedVersions()
    var binds: Binds {
        [
            rows.map { $0.player }, rows.map { $0.donation.id }, rows.map { $0.charity.id },
            rows.map { $0.donation.points }, rows.map { $0.donation.hasNoClientID }, rows.map { $0.donation.reachedAt },
            rows.map { $0.charity.day }, rows.map { $0.donation.isAnonymous ? $0.charity.anonymousRow : nil },
            rows.map { $0.donation.isAnonymous ? $0.charity.dayBeganAt : nil }, now, Array(versions.charities.keys),
            Array(versions.charities.values), Array(versions.boards.keys), Array(versions.boards.values),
        ]
    }
}

/// `wallets_donate.sql`
struct WalletsDonate: Query {
    typealias Row = Void
    static let sql = SQL.walletsDonate
    let rows: [DonationWrite]
    var binds: Binds { [rows.map { $0.player }, rows.map { $0.donation.points }] }
}

/// What a donation adds to one of the donation boards.
struct DonationEntry: Sendable {
    let board: Board.ID
    let day: Day
    /// The row on the board: the player's id, or the random negative one of an anonymous donation.
    let row: Int64
    let points: Int64
    let reachedAt: Instant
    /// Whether the row is on the board already; nil when that is not known.
    let isThere: Bool?
}

/// `tallies_donate.sql`
struct TalliesDonate: Query {
    typealias Row = Void
    static let sql = SQL.talliesDonate
    let entries: [DonationEntry]
    var binds: Binds {
        [
            entries.map { $0.board }, entries.map { $0.day }, entries.map { $0.row }, entries.map { $0.points },
            entries.map { $0.reachedAt },
        ]
    }
}

/// `standings_donate.sql`
struct StandingsDonate: Query {
    typealias Row = Void
    static let sql = SQL.standingsDonate
    let entries: [DonationEntry]
    var binds: Binds {
        [
            entries.map { $0.board }, entries.map { $0.row }, entries.map { $0.points }, entries.map { $0.reachedAt },
            entries.map { $0.isThere },
        ]
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
        /// When the newest donation by name arrived; nil without one.
        var reachedAt: Instant?
    }

    /// In the order of their charities' ids, one for each.
    let totals: [Total]

    /// - Parameter totals: In any order; those of one charity are added up.
    init(totals: [Total]) {
        var sums: [Int32: Total] = [:]
        for total in totals {
            guard var sum = sums[total.charity] else {
                sums[total.charity] = total
                continue
            }
            sum.points += total.points
            sum.newContributors += total.newContributors
            sum.reachedAt = [sum.reachedAt, total.reachedAt].compactMap { $0 }.max()
            sums[total.charity] = sum
        }
        self.totals = sums.values.sorted { $0.charity < $1.charity }
    }

    var binds: Binds {
        [
            totals.map { $0.charity }, totals.map { $0.points }, totals.map { $0.newContributors },
            totals.map { $0.reachedAt },
        ]
    }
}

extension [DonationWrite] {
    /// What charities receive by these rows.
    var totals: [CharityTotalsAdd.Total] {
        map { row in
            CharityTotalsAdd.Total(
                charity: row.charity.id, points: Int128(row.donation.points),
                newContributors: row.charity.hasDonated || row.donation.isAnonymous ? 0 : 1,
                reachedAt: row.donation.isAnonymous ? nil : row.donation.reachedAt)
        }
    }

    /// The statements that write these rows, but for what charities receive.
    var writes: [any Query] {
        if isEmpty { return [] }
        let capped = filter { !$0.charity.caps.isEmpty }
        return [WalletsDonate(rows: self)] + writesBesideWallets + (capped.isEmpty ? [] : [CapsAdd(rows: capped)])
    }

    /// Those that change no wallet and no cap.
    var writesBesideWallets: [any Query] {
        let entries = flatMap { row -> [DonationEntry] in
            let (donation, charity) = (row.donation, row.charity)
            func entry(_ board: Board.ID, _ day: Day, began: Instant, isThere: Bool?) -> DonationEntry {
                DonationEntry(
                    board: board, day: day, row: donation.isAnonymous ? charity.anonymousRow : row.player.rawValue,
                    points: donation.points, reachedAt: donation.isAnonymous ? began : donation.reachedAt,
                    isThere: donation.isAnonymous ? false : isThere)
            }
            let dayInUTC = donation.reachedAt.dayInUTC
            let overall = charity.overall.map { entry($0, dayInUTC, began: dayInUTC.startInUTC, isThere: nil) }
            return [entry(charity.board, charity.day, began: charity.dayBeganAt, isThere: charity.hasDonated)]
                + (overall.map { [$0] } ?? [])
        }
        return [TalliesDonate(entries: entries), StandingsDonate(entries: entries)]
    }
}
