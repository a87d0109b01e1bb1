import Domain
import FoundationEssentials
import Postgres
import Statements

// What the scores of a batch write: the ledger, and in the same transaction all that is derived from it.

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
            rows.map { $0.player }, rows.map { $0.score.id }, rows.map { $0.entry.rules.board },
            rows.map { $0.score.points }, rows.map { $0.entry.earned }, rows.map { $0.entry.improved },
            rows.map { $0.score.hasNoClientID }, rows.map { $0.score.playedAt }, rows.map { $0.score.reachedAt },
            rows.map { $0.entry.day }, now,
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
            rows.map { $0.player }, rows.map { $0.score.id }, rows.map { $0.score.name?.description },
            rows.map { $0.score.detail },
        ]
    }
}

/// `wallets_earn.sql`
struct WalletsEarn: Query {
    typealias Row = Void
    static let sql = SQL.walletsEarn
    let rows: [ScoreWrite]
    var binds: Binds { [rows.map { $0.player }, rows.map { $0.entry.earned }, rows.map { $0.entry.settlesAt }] }
}

/// `wallets_time.sql`
struct WalletsTime: Query {
    typealias Row = Void
    static let sql = SQL.walletsTime
    /// Those whose `posts` are not nil.
    let rows: [ScoreWrite]
    var binds: Binds {
        let posts = rows.map { $0.entry.posts ?? .none }
        var ends: [Int32] = []
        ends.reserveCapacity(rows.count)
        for posts in posts { ends.append((ends.last ?? 0) + Int32(truncatingIfNeeded: posts.boards.count)) }
        return [
            rows.map { $0.player }, rows.map { $0.entry.earned }, rows.map { $0.entry.settlesAt },
            zip(posts, ends).map { posts, end in end - Int32(truncatingIfNeeded: posts.boards.count) + 1 }, ends,
            posts.flatMap { $0.boards }, posts.flatMap { $0.times },
        ]
    }
}

/// `scores_hold.sql`
struct ScoresHold: Query {
    typealias Row = Void
    static let sql = SQL.scoresHold
    let rows: [ScoreWrite]
    let now: Instant
    var binds: Binds {
        [
            rows.map { $0.player }, rows.map { $0.score.id },
            rows.map { $0.entry.hold.map { $0.reasons.map(\.rawValue).joined(separator: " ") } ?? "" },
            rows.map { $0.entry.earned }, rows.map { $0.entry.hold?.judgeUntil },
            rows.map { $0.entry.hold?.secretUntil }, now, rows.map { $0.entry.rules.board },
        ]
    }
}

/// `standings_add.sql`
struct StandingsAdd: Query {
    typealias Row = Void
    static let sql = SQL.standingsAdd
    let rows: [ScoreWrite]
    var binds: Binds {
        [
            rows.map { $0.entry.rules.board }, rows.map { $0.player }, rows.map { $0.entry.standing.points },
            rows.map { $0.entry.standing.reachedAt }, rows.map { $0.entry.rules.lowestFirst },
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
            rows.map { $0.entry.rules.board }, rows.map { $0.player }, rows.map { $0.entry.standing.points },
            rows.map { $0.entry.standing.reachedAt },
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
            map { $0.entry.rules.board }, map { $0.entry.day }, map { $0.player }, map { $0.entry.tally.points },
            map { $0.entry.tally.reachedAt },
        ]
    }

    /// The statements that write these rows, after the ledger's.
    func writes(at now: Instant) -> [any Query] {
        var writes: [any Query] = []
        func add(_ rows: [ScoreWrite], _ query: ([ScoreWrite]) -> any Query) {
            if !rows.isEmpty { writes.append(query(rows)) }
        }
        add(filter { $0.score.name != nil || $0.score.detail != nil }) { ScoreNotesAdd(rows: $0) }
        add(filter { $0.entry.earned > 0 && $0.entry.posts == nil }) { WalletsEarn(rows: $0) }
        add(filter { $0.entry.posts != nil }) { WalletsTime(rows: $0) }
        add(filter { $0.entry.hold != nil }) { ScoresHold(rows: $0, now: now) }
        let counted = filter { $0.entry.hold == nil }
        add(counted.filter { $0.score.isOnClassicBoard }) { _ in MarkerEmit(marker: CommittedChanges.bestPostsMarker) }
        add(counted.filter { $0.before.standing == nil }) { StandingsAdd(rows: $0) }
        add(counted.filter { $0.before.standing.map { [now = $0.entry.standing] in $0 != now } ?? false }) {
            StandingsMove(rows: $0)
        }
        add(counted.filter { $0.before.tally == nil }) { TalliesAdd(rows: $0) }
        add(counted.filter { $0.before.tally.map { [now = $0.entry.tally] in $0 != now } ?? false }) {
            TalliesMove(rows: $0)
        }
        return writes
    }
}
