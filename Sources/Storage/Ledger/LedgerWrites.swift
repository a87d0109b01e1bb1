import Domain
import FoundationEssentials
import Postgres
import Statements

// What a batch writes: the rows of the ledgers, and in the same transaction all that is derived from them.

/// A score that is recorded.
struct ScoreWrite: Sendable {
    let player: Player.ID
    let score: NewScore
    let entry: ScoreJudgement.Entry
    /// What the player had on the board and on the day.
    let before: ScorePlaces
}

/// `scores_add.sql`
struct ScoresAdd: Query {
    typealias Row = Void
    static let sql = SQL.scoresAdd
    let rows: [ScoreWrite]
    let now: Instant
    var binds: Binds {
        [
            rows.map(\.player), rows.map(\.score.id), rows.map(\.entry.rules.board), rows.map(\.score.points),
            rows.map(\.entry.earned), rows.map(\.entry.improved), rows.map(\.score.hasNoClientID),
            rows.map(\.score.playedAt), rows.map(\.score.reachedAt), rows.map(\.entry.day), now,
        ]
    }
}

/// `score_notes_add.sql`
struct ScoreNotesAdd: Query {
    typealias Row = Void
    static let sql = SQL.scoreNotesAdd
    let rows: [ScoreWrite]
    var binds: Binds {
        [
            rows.map(\.player), rows.map(\.score.id), rows.map(\.score.name?.description), rows.map(\.score.detail),
        ]
    }
}

/// `wallets_earn.sql`
struct WalletsEarn: Query {
    typealias Row = Void
    static let sql = SQL.walletsEarn
    let rows: [ScoreWrite]
    var binds: Binds { [rows.map(\.player), rows.map(\.entry.earned)] }
}

/// `standings_add.sql`
struct StandingsAdd: Query {
    typealias Row = Void
    static let sql = SQL.standingsAdd
    let rows: [ScoreWrite]
    var binds: Binds {
        [
            rows.map(\.entry.rules.board), rows.map(\.player), rows.map(\.entry.standing.points),
            rows.map(\.entry.standing.reachedAt), rows.map(\.entry.rules.lowestFirst),
        ]
    }
}

/// `standings_move.sql`
struct StandingsMove: Query {
    typealias Row = Void
    static let sql = SQL.standingsMove
    let rows: [ScoreWrite]
    var binds: Binds {
        [
            rows.map(\.entry.rules.board), rows.map(\.player), rows.map(\.entry.standing.points),
            rows.map(\.entry.standing.reachedAt),
        ]
    }
}

/// `tallies_add.sql`
struct TalliesAdd: Query {
    typealias Row = Void
    static let sql = SQL.talliesAdd
    let rows: [ScoreWrite]
    var binds: Binds { rows.tallyBinds }
}

/// `tallies_move.sql`
struct TalliesMove: Query {
    typealias Row = Void
    static let sql = SQL.talliesMove
    let rows: [ScoreWrite]
    var binds: Binds { rows.tallyBinds }
}

extension [ScoreWrite] {
    fileprivate var tallyBinds: Binds {
        [
            map(\.entry.rules.board), map(\.entry.day), map(\.player), map(\.entry.tally.points),
            map(\.entry.tally.reachedAt),
        ]
    }

    /// The statements that write these rows.
    var writes: [any Query] {
        var writes: [any Query] = []
        func add(_ rows: [ScoreWrite], _ query: ([ScoreWrite]) -> any Query) {
            if !rows.isEmpty { writes.append(query(rows)) }
        }
        add(filter { $0.score.name != nil || $0.score.detail != nil }) { ScoreNotesAdd(rows: $0) }
        add(filter { $0.entry.earned > 0 }) { WalletsEarn(rows: $0) }
        add(filter { $0.before.standing == nil }) { StandingsAdd(rows: $0) }
        add(filter { $0.before.standing.map { [now = $0.entry.standing] in $0 != now } ?? false }) {
            StandingsMove(rows: $0)
        }
        add(filter { $0.before.tally == nil }) { TalliesAdd(rows: $0) }
        add(filter { $0.before.tally.map { [now = $0.entry.tally] in $0 != now } ?? false }) { TalliesMove(rows: $0) }
        return writes
    }
}

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
            rows.map(\.player), rows.map(\.donation.id), rows.map(\.charity.id), rows.map(\.donation.points),
            rows.map(\.donation.isAnonymous), rows.map(\.donation.hasNoClientID), rows.map(\.donation.reachedAt),
            rows.map(\.charity.day), now,
        ]
    }
}

/// `wallets_give.sql`
struct WalletsGive: Query {
    typealias Row = Void
    static let sql = SQL.walletsGive
    let rows: [DonationWrite]
    var binds: Binds { [rows.map(\.player), rows.map(\.donation.points)] }
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
            entries.map(\.board), entries.map(\.day), entries.map(\.row), entries.map(\.points),
            entries.map(\.reachedAt),
        ]
    }
}

/// `standings_give.sql`
struct StandingsGive: Query {
    typealias Row = Void
    static let sql = SQL.standingsGive
    let entries: [GivingEntry]
    var binds: Binds {
        [entries.map(\.board), entries.map(\.row), entries.map(\.points), entries.map(\.reachedAt)]
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
        [totals.map(\.charity), totals.map(\.points), totals.map(\.newContributors), totals.map(\.reachedAt)]
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
