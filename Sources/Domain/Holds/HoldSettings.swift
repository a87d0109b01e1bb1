/// When a board holds posts, and how long it is before their points may be donated, as an operator sets it.
package struct HoldSettings: Sendable, Equatable {
    /// Times the 99th percentile of the board's points; of the 1st where low is good.
    package var above: HoldFactor?
    /// Posts of a player a minute.
    package var rate: Int32?
    /// Points of a player a minute.
    package var pace: Int64?
    /// Minutes in which the game may judge each post.
    package var judgeMinutes: Int32?
    /// Minutes before points may be donated; nil is the standard.
    package var settleMinutes: Int32?

    package init(
        above: HoldFactor? = nil, rate: Int32? = nil, pace: Int64? = nil, judgeMinutes: Int32? = nil,
        settleMinutes: Int32? = nil
    ) {
        self.above = above
        self.rate = rate
        self.pace = pace
        self.judgeMinutes = judgeMinutes
        self.settleMinutes = settleMinutes
    }
}
