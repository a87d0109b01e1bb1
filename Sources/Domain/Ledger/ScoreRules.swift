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
        board: Board.ID,
        ties: Board.Ties,
        policy: Board.Policy,
        lowestFirst: Bool,
        bounds: ClosedRange<Int64>,
        hours: OpeningHours,
        earning: Earning,
        earnMax: Int64?,
        earnDay: Int64?,
        trust: Board.Trust,
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
