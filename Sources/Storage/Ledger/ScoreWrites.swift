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
    /// What it does to the day, of which nothing was read; nil when `before` has what the player had on it.
    var dayChange: DayChange?

    /// Whether the place on the board changes, or is to be compared with what the score was judged by.
    fileprivate var postsStanding: Bool { dayChange != nil || before.standing != entry.standing }
    fileprivate var postsTally: Bool { dayChange != nil || before.tally != entry.tally }
}

/// `scores_add.sql`
struct ScoresAdd: Query {
    typealias Row = Void
    static let sql = SQL.scoresAdd
    let rows: [ScoreWrite]
    let now: Instant
    /// What the rows were judged by, where that was memory.
    var versions = JudgedVersions()
    var binds: Binds {
        [
            rows.map { $0.player }, rows.map { $0.score.id }, rows.map { $0.entry.rules.board },
            rows.map { $0.score.points }, rows.map { $0.entry.earned }, rows.map { $0.entry.improved },
            rows.map { $0.score.hasNoClientID }, rows.map { $0.score.playedAt }, rows.map { $0.score.reachedAt },
            rows.map { $0.entry.day }, now, Array(versions.boards.keys), Array(versions.boards.values),
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

/// `standings_post.sql`
struct StandingsPost: Query {
    typealias Row = Void
    static let sql = SQL.standingsPost
    let rows: [ScoreWrite]
    var binds: Binds {
        [
            rows.map { $0.entry.rules.board }, rows.map { $0.player }, rows.map { $0.entry.standing.points },
            rows.map { $0.entry.standing.reachedAt }, rows.map { $0.entry.rules.lowestFirst },
            rows.map { $0.before.standing?.points }, rows.map { $0.before.standing?.reachedAt },
        ]
    }
}

/// `tallies_post.sql`
struct TalliesPost: Query {
    typealias Row = Void
    static let sql = SQL.talliesPost
    let rows: [ScoreWrite]
    var binds: Binds {
        [
            rows.map { $0.entry.rules.board }, rows.map { $0.entry.day }, rows.map { $0.player },
            rows.map { $0.entry.tally.points }, rows.map { $0.entry.tally.reachedAt },
            rows.map { ($0.dayChange ?? .replace).rawValue },
        ]
    }
}

extension [ScoreWrite] {
    /// The statements that write these rows, after the ledger's.
    func writes(at now: Instant) -> [any Query] {
        var writes: [any Query] = []
        add(filter { $0.entry.earned > 0 && $0.entry.posts == nil }, to: &writes) { WalletsEarn(rows: $0) }
        add(filter { $0.entry.posts != nil }, to: &writes) { WalletsTime(rows: $0) }
        add(filter { $0.entry.hold != nil }, to: &writes) { ScoresHold(rows: $0, now: now) }
        return writes + writesBesideWallets(at: now)
    }

    /// Those that change no wallet and hold nothing.
    func writesBesideWallets(at now: Instant) -> [any Query] {
        var writes: [any Query] = []
        add(filter { $0.score.name != nil || $0.score.detail != nil }, to: &writes) { ScoreNotesAdd(rows: $0) }
        let counted = filter { $0.entry.hold == nil }
        if counted.contains(where: { $0.score.isOnClassicBoard }) {
            writes.append(MarkerEmit(marker: CommittedChanges.bestPostsMarker))
        }
        add(counted.filter { $0.postsStanding }, to: &writes) { StandingsPost(rows: $0) }
        add(counted.filter { $0.postsTally }, to: &writes) { TalliesPost(rows: $0) }
        return writes
    }

    private func add(_ rows: [ScoreWrite], to writes: inout [any Query], _ query: ([ScoreWrite]) -> any Query) {
        if !rows.isEmpty { writes.append(query(rows)) }
    }
}
