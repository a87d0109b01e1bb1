/// Why a score is held.
package enum HoldReason: String, Sendable, CaseIterable {
    /// Its points are far above what nearly everybody has.
    case above
    /// The player posts too often.
    case rate
    /// The player posts more points than can be had in the time.
    case pace
    /// The game has to judge it.
    case judge
    /// An operator holds it.
    case `operator`
}

/// That a score is held, with everything that is kept of it.
package struct Hold: Sendable, Equatable {
    package let reasons: [HoldReason]
    /// Until when the game may judge it; nil when it does not.
    package let judgeUntil: Instant?
    /// Until when its owner is not told; nil when it is told at once.
    package let secretUntil: Instant?
}
