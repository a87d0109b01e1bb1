import Domain
import FoundationEssentials
import Postgres
import Statements

// What is locked and read before the scores of a batch are judged.

extension LockedWallet: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let player: Player.ID = try row.next()
        let wallet = try WalletContext(
            earned: row.next(), spent: row.next(), isBanned: row.next(), isMerged: row.next(), hasMerged: row.next(),
            holdsCount: row.next(), secretUntil: row.next(), settlesAt: row.next(), posts: row.timedPosts())
        self = LockedWallet(player: player, wallet: wallet, callersLeft: try row.next())
    }
}

extension RowReader {
    /// Reads two columns: the boards of posts, and their times; null and null for none.
    fileprivate mutating func timedPosts() throws(DecodingFailure) -> TimedPosts {
        let (boards, times): ([Board.ID]?, [Instant]?) = (try next(), try next())
        if boards == nil, times == nil { return .none }
        guard let posts = TimedPosts(boards: boards ?? [], times: times ?? []) else {
            throw DecodingFailure(.outOfRange, TimedPosts.self, from: .timestamptzArray)
        }
        return posts
    }
}

/// The wallet of a player, which this transaction has locked.
struct LockedWallet: Sendable {
    let player: Player.ID
    let wallet: WalletContext
    /// How often somebody ceased to speak for the player.
    let callersLeft: Int32
}

/// `boards_rules.sql`
struct BoardsRules: Query {
    static let sql = SQL.boardsRules
    let boards: BatchBoards
    let now: Instant
    var binds: Binds { [boards.names.map { $0.game }, boards.names.map { $0.board }, now] }
    /// Rows come in no order, one for each board that there is, with its number among the batch's.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (number: Int32, board: KnownBoard) {
        let number: Int32 = try row.next()
        let (id, ties): (Board.ID, Board.Ties) = (try row.next(), try row.next())
        let (policy, lowestFirst): (Board.Policy, Bool) = (try row.next(), try row.next())
        let (least, most): (Int64, Int64) = (try row.next(), try row.next())
        let hours = try OpeningHours(opensAt: row.next(), closesAt: row.next())
        let (rule, fixed): (String, Int64?) = (try row.next(), try row.next())
        guard least <= most, let earning = Earning(rule: rule, fixedPoints: fixed) else {
            throw DecodingFailure(.outOfRange, Earning.self, from: .text)
        }
        let rules = ScoreRules(
            board: id, ties: ties, policy: policy, lowestFirst: lowestFirst, bounds: least...most, hours: hours,
            earning: earning, earnMax: try row.next(), earnDay: try row.next(), trust: try row.next(),
            holds: try row.holdRules())
        let day: Day = try row.next()
        let (beganAt, endsAt): (Instant, Instant) = (try row.next(), try row.next())
        let board = KnownBoard(rules: rules, day: day, span: beganAt..<max(beganAt, endsAt), version: try row.next())
        return (number: number, board: board)
    }
}

extension RowReader {
    /// Reads eight columns: minutes to settle, the rules by which posts are held, how many posts there are, and the
    /// percentile.
    fileprivate mutating func holdRules() throws(DecodingFailure) -> HoldRules {
        let settle: Int32 = try next()
        let above: Int64? = try next()
        let settings = try HoldSettings(
            above: above.flatMap { HoldFactor(thousandths: $0) }, rate: next(), pace: next(), judgeMinutes: next())
        return try HoldRules(settings, settleMinutes: settle, postsCount: next(), percentile: next())
    }
}

/// The boards of a batch's scores, each once: most batches have one.
struct BatchBoards: Sendable {
    struct Name: Hashable, Sendable {
        let game: Slug
        let board: Slug
    }

    private(set) var names: [Name] = []
    /// The board of each score, as its number among the names, from 1.
    private(set) var numbers: [Int32] = []

    init(_ scores: [NewScore]) {
        numbers.reserveCapacity(scores.count)
        for score in scores {
            let name = Name(game: score.game, board: score.board)
            let index = names.firstIndex(of: name) ?? names.endIndex
            if index == names.endIndex { names.append(name) }
            numbers.append(Int32(truncatingIfNeeded: index + 1))
        }
    }
}

/// `scores_before.sql`
struct ScoresBefore: Query {
    static let sql = SQL.scoresBefore
    let boards: BatchBoards
    let players: [Player.ID]
    let scores: [NewScore]
    var binds: Binds {
        [
            boards.names.map { $0.game }, boards.names.map { $0.board }, players, boards.numbers, scores.map { $0.id },
            scores.map { $0.reachedAt },
        ]
    }
    /// Rows come in the order of the scores.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> ScorePlaces {
        try ScorePlaces(day: row.next(), standing: row.reached(), tally: row.reached(), isKnown: row.next())
    }
}

/// What is there before a score.
struct ScorePlaces: Sendable {
    /// Nil without a board.
    let day: Day?
    let standing: PointsReached?
    let tally: PointsReached?
    /// Whether the ledger has a row under the score's id.
    let isKnown: Bool
}

extension RowReader {
    /// Reads three columns: an order key and when it was reached, or null and null; and a row id.
    mutating func ownKey() throws(DecodingFailure) -> SortKey? {
        let (orderKey, reachedAt): (Int128?, Instant?) = (try next(), try next())
        let row: Int64 = try next()
        guard let orderKey, let reachedAt else { return nil }
        return SortKey(orderKey: orderKey, reachedAt: reachedAt, row: row)
    }

    /// Reads two columns: points, and when they were reached.
    mutating func reached() throws(DecodingFailure) -> PointsReached? {
        let (points, reachedAt): (Int64?, Instant?) = (try next(), try next())
        guard let points, let reachedAt else { return nil }
        return PointsReached(points: points, reachedAt: reachedAt)
    }
}

/// `scores_recall.sql`
struct ScoresRecall: Query {
    static let sql = SQL.scoresRecall
    let turns: [LedgerBatch.Turn]
    let scores: [NewScore]
    /// Nil for a score whose board there is not.
    let rules: [ScoreRules?]
    let days: [Day?]
    let now: Instant
    var binds: Binds {
        [
            turns.map { $0.player }, rules.map { $0?.board }, scores.map { $0.hasNoClientID ? nil : $0.id },
            scores.map { $0.points }, scores.map { $0.reachedAt }, scores.map { $0.name?.description }, days,
            turns.map { $0.own }, now, scores.map { $0.isClassic }, rules.map { $0?.earnsByLedger ?? false },
            rules.map { $0?.earnDay != nil },
        ]
    }
    /// Rows come in the order of the scores, each with how many rows of the ledger were looked through for it.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (score: RecalledScore, rowsRead: Int64) {
        let (id, board): (UUID?, Board.ID?) = (try row.next(), try row.next())
        let (game, slug): (Slug?, Slug?) = (try row.next(), try row.next())
        let (ties, points): (Board.Ties?, Int64?) = (try row.next(), try row.next())
        let (earned, improved): (Int64?, Bool?) = (try row.next(), try row.next())
        let (playedAt, reachedAt): (Instant?, Instant?) = (try row.next(), try row.next())
        let (detail, standing): (String?, Int64?) = (try row.next(), try row.next())
        let state: LedgerState = try row.next()
        let own = try row.ownKey()
        var ledgerRow: RecalledScore.LedgerRow?
        if let id, let board, let game, let slug, let ties, let points, let earned, let improved, let reachedAt {
            ledgerRow = RecalledScore.LedgerRow(
                id: id, game: game, boardSlug: slug, board: board, ties: ties, points: points, earned: earned,
                improved: improved, playedAt: playedAt, reachedAt: reachedAt, detail: detail, standing: standing,
                state: state, own: own)
        }
        let recalled = try RecalledScore(
            row: ledgerRow, hasEarnedEqual: row.next(), best: row.next(), earnedOnDay: row.next())
        return (recalled, try row.next())
    }
}
