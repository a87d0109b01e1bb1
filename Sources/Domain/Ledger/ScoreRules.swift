/// The rules by which a board takes scores in the season that is played.
package struct ScoreRules: Sendable {
    package let board: Board.ID
    package let ties: Board.Ties
    package let policy: Board.Policy
    package let lowestFirst: Bool
    /// The points that the board accepts.
    package let bounds: ClosedRange<Int64>
    package let hours: OpeningHours
    package let earning: Earning
    /// The most that one score earns.
    package let earnMax: Int64?
    /// The most that a player's scores earn on one day of the board.
    package let earnDay: Int64?
    package let trust: Board.Trust
    package let holds: HoldRules

    package init(
        board: Board.ID, ties: Board.Ties, policy: Board.Policy, lowestFirst: Bool, bounds: ClosedRange<Int64>,
        hours: OpeningHours, earning: Earning, earnMax: Int64?, earnDay: Int64?, trust: Board.Trust,
        holds: HoldRules = .none
    ) {
        self.board = board
        self.ties = ties
        self.policy = policy
        self.lowestFirst = lowestFirst
        self.bounds = bounds
        self.hours = hours
        self.earning = earning
        self.earnMax = earnMax
        self.earnDay = earnDay
        self.trust = trust
        self.holds = holds
    }

    /// Why the board does not trust a score; nil when it does.
    func refusal(of authenticity: NewScore.Authenticity) -> ScoreOutcome? {
        switch (trust, authenticity) {
        case (.open, _), (_, .key), (.signed, .signed): nil
        case (.signed, .unsigned): .unsigned
        case (.server, .signed), (.server, .unsigned): .serverOnly
        }
    }

    /// A player's row on the board.
    func sortKey(of reached: PointsReached, _ player: Player.ID) -> SortKey {
        let points = Int128(reached.points)
        return SortKey(orderKey: lowestFirst ? points : 0 - points, reachedAt: reached.reachedAt, row: player.rawValue)
    }

    func isBetter(_ one: Int64, than other: Int64) -> Bool { lowestFirst ? one < other : one > other }

    /// Whether what a score earns depends on earlier scores, beyond the player's place.
    package var looksBack: Bool { earnDay != nil || earnsByLedger }

    /// Whether a score earns by the best one before, and the player's place is not that one.
    package var earnsByLedger: Bool { earning == .improvement && policy != .best }
}

/// What a player has on a board, or on one day of it: points, and when they were reached.
package struct PointsReached: Sendable, Hashable {
    package let points: Int64
    package let reachedAt: Instant

    package init(points: Int64, reachedAt: Instant) {
        self.points = points
        self.reachedAt = reachedAt
    }

    /// What becomes of points before when another post arrives, in any order of arrivals.
    /// - Parameter before: Nil before the first post.
    /// - Returns: Nil when the sum leaves the range from -(2^63-1) to 2^63-1, which can be negated.
    static func after(_ before: PointsReached?, _ post: PointsReached, _ rules: ScoreRules) -> PointsReached? {
        guard let before else { return post }
        let latest = max(before.reachedAt, post.reachedAt)
        switch rules.policy {
        case .sum:
            let (sum, isOver) = before.points.addingReportingOverflow(post.points)
            return isOver || sum == .min ? nil : PointsReached(points: sum, reachedAt: latest)
        case .best:
            if rules.isBetter(post.points, than: before.points) { return post }
            let isEqual = post.points == before.points
            return isEqual
                ? PointsReached(points: before.points, reachedAt: min(before.reachedAt, post.reachedAt)) : before
        case .latest:
            let isNewer = post.reachedAt > before.reachedAt
            let wins = post.reachedAt == before.reachedAt && !rules.isBetter(before.points, than: post.points)
            return PointsReached(points: isNewer || wins ? post.points : before.points, reachedAt: latest)
        }
    }
}

/// When a board or a charity takes posts.
package struct OpeningHours: Sendable, Equatable {
    /// Nil when it has always been open.
    package let opensAt: Instant?
    /// Nil when it will never close.
    package let closesAt: Instant?

    package init(opensAt: Instant?, closesAt: Instant?) {
        self.opensAt = opensAt
        self.closesAt = closesAt
    }

    /// What the hours say about an instant.
    package enum State: Equatable {
        case opens(Instant)
        case open
        case closed(Instant)
    }

    /// The first instant is within the hours, the last is not.
    package func state(at instant: Instant) -> State {
        if let opensAt, instant < opensAt { return .opens(opensAt) }
        if let closesAt, instant >= closesAt { return .closed(closesAt) }
        return .open
    }

    package func contains(_ instant: Instant) -> Bool { state(at: instant) == .open }
}
