import Domain
import Storage

/// What changes of boards may bring awards, so that a changed row is compared in memory.
struct AwardConditions: Sendable {
    /// What a board may bring.
    struct OfBoard: Sendable {
        /// Points of the season, and of a day, by award.
        var season: [(award: Award.ID, atLeast: Int64)] = []
        var day: [(award: Award.ID, atLeast: Int64)] = []
        /// Awards that another day with a score may bring.
        var newDay: [Award.ID] = []
        /// Awards that the first row of a player may bring.
        var newRow: [Award.ID] = []
        let lowestFirst: Bool
        let isDonationBoard: Bool
    }

    /// The boards that are being played, with an award or without.
    private var boards: [Board.ID: OfBoard] = [:]
    /// Whether there is any award.
    private(set) var areAny = false
    /// Whether there is one for a rank.
    private(set) var hasRanks = false

    init() {}

    init(_ conditions: [AwardCondition], on followed: [FollowedBoard], hasRanks: Bool, areAny: Bool) {
        (self.hasRanks, self.areAny) = (hasRanks, areAny)
        for board in followed {
            boards[board.id] = OfBoard(lowestFirst: board.lowestFirst, isDonationBoard: board.isDonationBoard)
        }
        for condition in conditions { boards[condition.board]?.add(condition) }
    }

    subscript(board: Board.ID) -> OfBoard? { boards[board] }
}

extension AwardConditions.OfBoard {
    fileprivate mutating func add(_ condition: AwardCondition) {
        let award = condition.award
        switch condition.rule {
        case .points where condition.isOfDay: day.append((award, condition.atLeast))
        case .points, .given: season.append((award, condition.atLeast))
        case .days, .streak: newDay.append(award)
        case .charities: newRow.append(award)
        case .rank, .granted: break
        }
    }

    /// The awards among some whose points a row has reached.
    /// - Parameters:
    ///   - old: The points before; nil where there were none, or nobody knows.
    ///   - new: The points now.
    func reached(_ awards: [(award: Award.ID, atLeast: Int64)], from old: Int64?, to new: Int64) -> [Award.ID] {
        awards.compactMap { award, atLeast in
            func holds(_ points: Int64) -> Bool { lowestFirst ? points <= atLeast : points >= atLeast }
            return holds(new) && !(old.map(holds) ?? false) ? award : nil
        }
    }
}

/// The campaigns that awards for ranks are for, so that a changed row is compared in memory.
struct AwardContests: Sendable {
    /// Those that are over, by board.
    private var days: [Board.ID: [(award: Award.ID, days: ClosedRange<Day>)]] = [:]
    /// When the next one of the others ends.
    private var nextEnd: Instant?
    /// The awards for ranks in those that are over.
    private(set) var ended: Set<Award.ID> = []

    init(_ contests: [AwardContest], now: Instant) {
        for contest in contests {
            if contest.endsAt > now {
                nextEnd = min(contest.endsAt, nextEnd ?? contest.endsAt)
            } else if contest.firstDay <= contest.lastDay {
                ended.insert(contest.award)
                days[contest.board, default: []].append((contest.award, contest.firstDay...contest.lastDay))
            }
        }
    }

    func hasEnded(by now: Instant) -> Bool { nextEnd.map { $0 <= now } ?? false }

    /// Adds the awards to which a changed row matters, because it is of a day of a campaign that is over.
    func note(_ change: RollupChange, in work: inout AwardCandidates.Work) {
        guard let day = change.day, let contests = days[change.board] else { return }
        for contest in contests where contest.days.contains(day) { work.contests.insert(contest.award) }
    }
}
