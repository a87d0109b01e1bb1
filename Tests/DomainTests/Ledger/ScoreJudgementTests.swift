import Domain
import Foundation
import Testing

@Suite struct ScoreJudgementTests {
    private static let noon = Instant(microsecondsSince1970: 1_700_000_000_000_000)
    private static let player = Player.ID(rawValue: 7)

    private static func rules(
        _ policy: Board.Policy = .best, lowestFirst: Bool = false, bounds: ClosedRange<Int64> = -1_000...1_000,
        hours: OpeningHours = OpeningHours(opensAt: nil, closesAt: nil), earning: Earning = .points,
        earnMax: Int64? = nil, earnDay: Int64? = nil, trust: Board.Trust = .open, holds: HoldRules = .none
    ) -> ScoreRules {
        ScoreRules(
            board: Board.ID(rawValue: 3), ties: .first, policy: policy, lowestFirst: lowestFirst, bounds: bounds,
            hours: hours, earning: earning, earnMax: earnMax, earnDay: earnDay, trust: trust, holds: holds)
    }

    private static func score(
        _ points: Int64, after seconds: Int64 = 0, playedAt: Instant? = nil, isClassic: Bool = false
    ) throws -> NewScore {
        NewScore(
            points, by: .player(player), on: try #require(Slug("maze")), in: try #require(Slug("default")), id: UUID(),
            playedAt: playedAt, isClassic: isClassic, reachedAt: noon.advanced(bySeconds: seconds))
    }

    private static func judged(
        _ score: NewScore, _ rules: ScoreRules?, standing: Int64? = nil,
        wallet: WalletContext = WalletContext(earned: 100, spent: 40), recalled: RecalledScore? = nil,
        isRepeated: Bool = false
    ) -> ScoreJudgement {
        let before = standing.map { PointsReached(points: $0, reachedAt: noon) }
        let context = ScoreContext(
            wallet: wallet, rules: rules, day: rules.map { _ in Day(daysSince1970: 19_675) }, standing: before,
            tally: before, recalled: recalled)
        return ScoreJudgement(score, of: player, on: context, isRepeated: isRepeated)
    }

    @Test("what counts follows the board's policy, in any order of arrivals") func policies() throws {
        let cases: [(Board.Policy, Bool, Int64, Int64, Int64, Int64, Int64)] = [
            // policy, low is good, points before, points, seconds later; points after, seconds later
            (.best, false, 10, 12, 5, 12, 5), (.best, false, 10, 9, 5, 10, 0), (.best, false, 10, 10, -5, 10, -5),
            (.best, false, 10, 10, 5, 10, 0), (.best, true, 10, 9, 5, 9, 5), (.best, true, 10, 12, 5, 10, 0),
            (.sum, false, 10, -3, 5, 7, 5), (.sum, false, 10, 3, -5, 13, 0), (.latest, false, 10, 3, 5, 3, 5),
            (.latest, false, 10, 3, -5, 10, 0), (.latest, false, 10, 12, 0, 12, 0), (.latest, false, 10, 9, 0, 10, 0),
            (.latest, true, 10, 9, 0, 9, 0), (.latest, true, 10, 12, 0, 10, 0),
        ]
        for (policy, lowestFirst, before, points, seconds, after, reached) in cases {
            let judgement = Self.judged(
                try Self.score(points, after: seconds), Self.rules(policy, lowestFirst: lowestFirst), standing: before)
            let expected = PointsReached(points: after, reachedAt: Self.noon.advanced(bySeconds: reached))
            #expect(judgement.entry?.standing == expected, "\(policy) \(lowestFirst) \(before) \(points) \(seconds)")
            #expect(judgement.entry?.tally == expected)
            #expect(judgement.receipt.best == after)
            #expect(judgement.receipt.improved == (lowestFirst ? after < before : after > before))
        }
    }

    @Test("points outside of the board's bounds, and sums beyond 64 bits, are out of bounds") func bounds() throws {
        let whole = -Int64.max...Int64.max
        #expect(Self.judged(try Self.score(1_001), Self.rules()).receipt.outcome == .outOfBounds)
        for (before, points): (Int64, Int64) in [(.max, 1), (-.max, -1), (-.max, -.max), (.max, .max)] {
            let judgement = Self.judged(try Self.score(points), Self.rules(.sum, bounds: whole), standing: before)
            #expect(judgement.receipt.outcome == .outOfBounds && judgement.entry == nil, "\(before) \(points)")
        }
        let least = Self.judged(try Self.score(-1), Self.rules(.sum, bounds: whole), standing: -.max + 1)
        #expect(least.entry?.standing.points == -.max)
    }

    @Test("a board takes scores from its first instant until its last") func hours() throws {
        let rules = Self.rules(hours: OpeningHours(opensAt: Self.noon, closesAt: Self.noon.advanced(bySeconds: 10)))
        let outcomes = try [-1, 0, 9, 10].map { Self.judged(try Self.score(1, after: $0), rules).receipt.outcome }
        #expect(outcomes == [.boardClosed, .recorded, .recorded, .boardClosed])
        #expect(Self.judged(try Self.score(1), nil).receipt.outcome == .noBoard)
    }

    @Test(
        "hours, verdicts and settling go by the server's clock, whatever time of play a client says",
        arguments: [Int64(-3_600), 3_600]) func clocks(seconds: Int64) throws
    {
        let later = Self.noon.advanced(bySeconds: 60)
        let playedAt = later.advanced(bySeconds: seconds)
        func judged(opens: Instant?, closes: Instant?) throws -> ScoreJudgement {
            let rules = Self.rules(
                hours: OpeningHours(opensAt: opens, closesAt: closes),
                holds: HoldRules(HoldSettings(judgeMinutes: 5), settleMinutes: 10, postsCount: 0, percentile: nil))
            return Self.judged(try Self.score(30, after: 60, playedAt: playedAt), rules)
        }
        let entry = try #require(try judged(opens: Self.noon, closes: later.advanced(bySeconds: 1)).entry)
        #expect(entry.hold?.judgeUntil == later.advanced(bySeconds: 300))
        #expect(entry.hold?.secretUntil == later.advanced(bySeconds: 600))
        #expect(entry.settlesAt == later.advanced(bySeconds: 600))
        #expect(try judged(opens: nil, closes: later).receipt.outcome == .boardClosed)
        #expect(try judged(opens: later.advanced(bySeconds: 1), closes: nil).receipt.outcome == .boardClosed)
    }

    @Test("a balance below zero shows as zero, whatever becomes of the score") func belowZero() throws {
        let wallet = WalletContext(earned: 10, spent: 100)
        let recorded = Self.judged(try Self.score(5), Self.rules(), wallet: wallet).receipt
        #expect(recorded.outcome == .recorded && recorded.earned == 5 && recorded.balance == 0)
        let refused = Self.judged(try Self.score(1_001), Self.rules(), wallet: wallet).receipt
        #expect(refused.outcome == .outOfBounds && refused.balance == 0)
    }

    @Test("who is banned posts nothing, and is told nothing of what was posted") func banned() throws {
        let wallet = WalletContext(earned: 100, spent: 40, isBanned: true)
        let score = try Self.score(30)
        for recalled in [nil, Self.recalled(score, 30, at: Self.noon)] {
            for isRepeated in [false, true] {
                let judgement = Self.judged(
                    score, Self.rules(), wallet: wallet, recalled: recalled, isRepeated: isRepeated)
                #expect(judgement.receipt.outcome == .banned && judgement.entry == nil)
            }
        }
    }

    @Test("a score earns by the board's rule, as far as it fits under every limit") func earning() throws {
        func earned(
            _ points: Int64, _ rules: ScoreRules, standing: Int64? = nil, earned: Int64 = 0,
            recalled: RecalledScore? = nil, isClassic: Bool = false
        ) throws -> Int64 {
            Self.judged(
                try Self.score(points, isClassic: isClassic), rules, standing: standing,
                wallet: WalletContext(earned: earned, spent: 0), recalled: recalled
            ).receipt.earned
        }
        func recalled(best: Int64? = nil, earnedOnDay: Int64 = 0, hasEarnedEqual: Bool = false) -> RecalledScore {
            RecalledScore(row: nil, hasEarnedEqual: hasEarnedEqual, best: best, earnedOnDay: earnedOnDay)
        }
        let whole = -Int64.max...Int64.max
        #expect(try earned(30, Self.rules()) == 30)
        #expect(try earned(-30, Self.rules()) == 0)
        #expect(try earned(30, Self.rules(earning: .none)) == 0)
        #expect(try earned(30, Self.rules(earning: .fixed(4))) == 4)
        #expect(try earned(-30, Self.rules(earning: .fixed(4))) == 0)
        #expect(try earned(30, Self.rules(earnMax: 7)) == 7)
        #expect(try earned(30, Self.rules(earnDay: 50), recalled: recalled(earnedOnDay: 45)) == 5)
        #expect(try earned(30, Self.rules(earnDay: 50), recalled: recalled(earnedOnDay: 55)) == 0)
        #expect(try earned(30, Self.rules(), earned: Limits.walletPointsMax - 3) == 3)
        #expect(try earned(.max, Self.rules(bounds: whole)) == Limits.walletPointsMax)
        #expect(try earned(30, Self.rules(), recalled: recalled(hasEarnedEqual: true), isClassic: true) == 0)
        #expect(try earned(30, Self.rules(), recalled: recalled(hasEarnedEqual: true)) == 30)
        #expect(try earned(30, Self.rules(earning: .improvement)) == 30)
        #expect(try earned(30, Self.rules(earning: .improvement), standing: 20) == 10)
        #expect(try earned(10, Self.rules(earning: .improvement), standing: 20) == 0)
        #expect(try earned(30, Self.rules(lowestFirst: true, earning: .improvement)) == 0)
        #expect(try earned(15, Self.rules(lowestFirst: true, earning: .improvement), standing: 20) == 5)
        let latest = Self.rules(.latest, earning: .improvement)
        #expect(try earned(30, latest, standing: 5, recalled: recalled(best: 25)) == 5)
        let widest = Self.rules(bounds: whole, earning: .improvement)
        #expect(try earned(.max, widest, standing: -.max) == Limits.walletPointsMax)
    }

    @Test("what earned nothing has nothing to settle, so the player may donate at once") func settling() throws {
        let holds = HoldRules(HoldSettings(), settleMinutes: 10, postsCount: 0, percentile: nil)
        func settlesAt(_ points: Int64, _ earning: Earning) throws -> Instant? {
            let judgement = Self.judged(try Self.score(points), Self.rules(earning: earning, holds: holds))
            return try #require(judgement.entry).settlesAt
        }
        #expect(try settlesAt(30, .points) == Self.noon.advanced(bySeconds: 600))
        #expect(try settlesAt(1, .points) == Self.noon.advanced(bySeconds: 600))
        #expect(try settlesAt(0, .points) == nil)
        #expect(try settlesAt(-30, .points) == nil)
        #expect(try settlesAt(30, .none) == nil)
        #expect(try settlesAt(30, .fixed(0)) == nil)
    }

    @Test("a score that is held adds nothing to the balance, and its player is told so where points settle at once")
    func holding() throws {
        func judged(judge: Int32?, settle: Int32) throws -> ScoreJudgement {
            let holds = HoldRules(
                HoldSettings(judgeMinutes: judge), settleMinutes: settle, postsCount: 0, percentile: nil)
            return Self.judged(try Self.score(30), Self.rules(holds: holds))
        }
        let shown = try judged(judge: 5, settle: 0)
        #expect(shown.receipt.state == .held && shown.receipt.balance == 60 && shown.receipt.earned == 30)
        let until = Self.noon.advanced(bySeconds: 300)
        let open = try #require(shown.entry?.hold)
        #expect(open.reasons == [.judge] && open.judgeUntil == until && open.secretUntil == nil)
        #expect(shown.receipt.own != nil, "the place that the player is told is not the one that others see")
        let secret = try judged(judge: 5, settle: 10)
        #expect(secret.receipt.state == .counted && secret.receipt.balance == 90)
        let hidden = try #require(secret.entry?.hold)
        #expect(hidden.judgeUntil == until && hidden.secretUntil == Self.noon.advanced(bySeconds: 600))
        let counts = try judged(judge: nil, settle: 10)
        #expect(counts.receipt.state == .counted && counts.receipt.balance == 90 && counts.receipt.own == nil)
        #expect(counts.entry?.hold == nil)
    }

    @Test("who has as many held as may be posts nothing, held or not") func tooManyHeld() throws {
        for judge in [nil, 5] as [Int32?] {
            let holds = HoldRules(HoldSettings(judgeMinutes: judge), settleMinutes: 0, postsCount: 0, percentile: nil)
            for (count, outcome) in [
                (Limits.holdsOfPlayerMax - 1, ScoreOutcome.recorded), (Limits.holdsOfPlayerMax, .tooManyHeld),
            ] {
                let wallet = WalletContext(earned: 100, spent: 40, holdsCount: count)
                let judgement = Self.judged(try Self.score(30), Self.rules(holds: holds), wallet: wallet)
                #expect(judgement.receipt.outcome == outcome && (judgement.entry == nil) == (outcome != .recorded))
            }
        }
    }

    @Test("a player is judged by the place that it is told, and everybody else's view goes on from what counts")
    func own() throws {
        let context = ScoreContext(
            wallet: WalletContext(earned: 100, spent: 40), rules: Self.rules(earning: .improvement),
            day: Day(daysSince1970: 19_675), standing: PointsReached(points: 20, reachedAt: Self.noon), tally: nil,
            recalled: nil,
            own: OwnContext(
                standing: PointsReached(points: 50, reachedAt: Self.noon),
                tally: PointsReached(points: 50, reachedAt: Self.noon), secretPoints: 25))
        func judged(_ points: Int64) throws -> ScoreJudgement {
            ScoreJudgement(try Self.score(points, after: 5), of: Self.player, on: context, isRepeated: false)
        }
        let less = try judged(30)
        #expect(!less.receipt.improved && less.receipt.best == 50 && less.receipt.earned == 0)
        #expect(less.entry?.standing.points == 30 && less.entry?.tally.points == 30)
        #expect(less.receipt.balance == 85 && less.receipt.own != nil)
        let more = try judged(60)
        #expect(more.receipt.improved && more.receipt.best == 60 && more.receipt.earned == 10)
        #expect(more.receipt.balance == 95)
    }

    @Test("a score under a known id is the same or a conflict, and was recorded if its first attempt was")
    func repeats() throws {
        func row(of score: NewScore, _ points: Int64) -> RecalledScore.LedgerRow {
            RecalledScore.LedgerRow(
                id: score.id, game: score.game, boardSlug: score.board, board: Board.ID(rawValue: 2), ties: .shared,
                points: points, earned: 11, improved: true, playedAt: nil, reachedAt: score.reachedAt, detail: nil,
                standing: 99)
        }
        let score = try Self.score(30)
        func judged(_ points: Int64, isRepeated: Bool) -> ScoreJudgement {
            let recalled = RecalledScore(row: row(of: score, points), hasEarnedEqual: false, best: nil, earnedOnDay: 0)
            let context = ScoreContext(
                wallet: WalletContext(earned: 100, spent: 120), rules: Self.rules(), day: Day(daysSince1970: 1),
                standing: PointsReached(points: 50, reachedAt: Self.noon), tally: nil, recalled: recalled)
            return ScoreJudgement(score, of: Self.player, on: context, isRepeated: isRepeated)
        }
        let retry = judged(30, isRepeated: false).receipt
        #expect(retry.outcome == .retry && retry.board == Board.ID(rawValue: 2) && retry.ties == .shared)
        #expect(retry.best == 99 && retry.earned == 11 && retry.balance == 0, "a balance below zero shows as zero")
        let conflict = judged(31, isRepeated: false)
        #expect(conflict.receipt.outcome == .conflict && conflict.entry == nil)
        #expect(conflict.receipt.points == 31 && conflict.receipt.best == 50)
        #expect(judged(30, isRepeated: true).receipt.outcome == .recorded)
        #expect(judged(30, isRepeated: true).entry == nil)
        // A batch that is sent again finds its own row by its arrival, and nobody else's.
        let earlier = Self.recalled(score, 30, at: Self.noon.advanced(bySeconds: -1))
        let other = Self.judged(score, Self.rules(), recalled: earlier, isRepeated: true).receipt
        #expect(other.outcome == .retry)
    }

    @Test("an id is of one game, board, time of play and detail") func differences() throws {
        let (maze, quiz) = (try #require(Slug("maze")), try #require(Slug("quiz")))
        func outcome(game: Slug = maze, board: Slug = maze, playedAt: Instant? = Self.noon, detail: String? = "{}")
            -> ScoreOutcome
        {
            let score = NewScore(
                30, by: .player(Self.player), on: maze, in: maze, id: UUID(), playedAt: Self.noon, detail: "{}",
                reachedAt: Self.noon)
            let row = RecalledScore.LedgerRow(
                id: score.id, game: game, boardSlug: board, board: Board.ID(rawValue: 3), ties: .first, points: 30,
                earned: 30, improved: true, playedAt: playedAt, reachedAt: Self.noon.advanced(bySeconds: -1),
                detail: detail, standing: 30)
            let recalled = RecalledScore(row: row, hasEarnedEqual: false, best: nil, earnedOnDay: 0)
            return Self.judged(score, Self.rules(), recalled: recalled).receipt.outcome
        }
        #expect(outcome() == .retry)
        #expect(outcome(game: quiz) == .conflict && outcome(board: quiz) == .conflict)
        #expect(outcome(playedAt: nil) == .conflict)
        #expect(outcome(detail: nil) == .conflict && outcome(detail: "[]") == .conflict)
    }

    @Test("a board's trust is judged before what the ledger remembers, and a game's key needs nothing more")
    func trust() throws {
        let token = TokenHash(bytes: [1])
        func score(_ caller: Caller, isSigned: Bool) throws -> NewScore {
            NewScore(
                30, by: caller, on: try #require(Slug("maze")), in: try #require(Slug("default")), id: UUID(),
                isSigned: isSigned, reachedAt: Self.noon)
        }
        let callers: [Caller] = [
            .token(token, claims: nil), .device(DeviceHash(bytes: [2])), .player(Self.player),
            .key(token, .player(Self.player)), .key(token, .external(DeviceHash(bytes: [2]))),
        ]
        let expected: [Board.Trust: (unsigned: ScoreOutcome, signed: ScoreOutcome)] = [
            .open: (.recorded, .recorded), .signed: (.unsigned, .recorded), .server: (.serverOnly, .serverOnly),
        ]
        for trust in Board.Trust.allCases {
            let outcomes = try #require(expected[trust])
            for caller in callers {
                for isSigned in [false, true] {
                    let score = try score(caller, isSigned: isSigned)
                    let trusted: ScoreOutcome =
                        caller.key != nil ? .recorded : isSigned ? outcomes.signed : outcomes.unsigned
                    let judgement = Self.judged(score, Self.rules(trust: trust))
                    #expect(judgement.receipt.outcome == trusted && (judgement.entry != nil) == (trusted == .recorded))
                    // Before bounds and hours, and before a row under its id: an equal one, another one.
                    let outOfBounds = Self.judged(score, Self.rules(bounds: 0...1, trust: trust)).receipt.outcome
                    #expect(outOfBounds == (trusted == .recorded ? .outOfBounds : trusted))
                    for (points, known) in [(30, ScoreOutcome.retry), (31, .conflict)] as [(Int64, ScoreOutcome)] {
                        let outcome = Self.judged(
                            score, Self.rules(trust: trust),
                            recalled: Self.recalled(score, points, at: Self.noon.advanced(bySeconds: -1))
                        ).receipt.outcome
                        #expect(outcome == (trusted == .recorded ? known : trusted))
                    }
                    // What this very batch has committed was trusted when it was judged.
                    let committed = Self.judged(
                        score, Self.rules(trust: trust), recalled: Self.recalled(score, 30, at: Self.noon),
                        isRepeated: true)
                    #expect(committed.receipt.outcome == .recorded && committed.entry == nil)
                }
            }
        }
    }

    private static func recalled(_ score: NewScore, _ points: Int64, at reachedAt: Instant) -> RecalledScore {
        RecalledScore(
            row: RecalledScore.LedgerRow(
                id: score.id, game: score.game, boardSlug: score.board, board: Board.ID(rawValue: 3), ties: .first,
                points: points, earned: 0, improved: true, playedAt: nil, reachedAt: reachedAt, detail: nil,
                standing: nil), hasEarnedEqual: false, best: nil, earnedOnDay: 0)
    }
}
