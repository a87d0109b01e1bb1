/// The rules by which a board holds posts, with what it was measured to be like.
package struct HoldRules: Sendable, Equatable {
    package let settings: HoldSettings
    /// Minutes before points may be donated.
    package let settleMinutes: Int32
    /// Whether there are enough posts for the rules that compare one with others.
    package let hasEnoughPosts: Bool
    /// The 99th percentile of the points that players have, or the 1st where low is good; nil before it was measured.
    package let percentile: Int64?

    package init(_ settings: HoldSettings, settleMinutes: Int32, postsCount: Int32, percentile: Int64?) {
        self.settings = settings
        self.settleMinutes = settleMinutes
        hasEnoughPosts = postsCount >= Limits.holdPostsMin
        self.percentile = percentile
    }

    package static let none = HoldRules(HoldSettings(), settleMinutes: 0, postsCount: 0, percentile: nil)

    /// Whether some posts are held.
    package var mayHold: Bool { settings.above != nil || looksAtTimes || settings.judgeMinutes != nil }

    /// Whether they go by when the player posted before.
    package var looksAtTimes: Bool { settings.rate != nil || settings.pace != nil }

    /// How many posts of a player are timed: as many as the board takes in a minute.
    package var postsTimed: Int32 { settings.rate ?? 1 }

    /// When the points of a post may be donated; nil when it is at once.
    func settlesAt(_ reachedAt: Instant) -> Instant? {
        settleMinutes > 0 ? reachedAt.advanced(bySeconds: Int64(settleMinutes) * 60) : nil
    }

    /// Until when the game may judge a post; nil when it does not.
    func judgeUntil(_ reachedAt: Instant) -> Instant? {
        settings.judgeMinutes.map { reachedAt.advanced(bySeconds: Int64($0) * 60) }
    }

    /// Why a post is held; empty when it is not. Nothing is compared before there are posts enough, but a game judges
    /// each post from the first.
    /// - Parameters:
    ///   - times: When the player posted before; nil unless ``looksAtTimes``.
    ///   - playedAt: When it was played, as ``PostTimes/time(playedAt:reachedAt:)`` believes it.
    func reasons(points: Int64, times: PostTimes?, playedAt: Instant, lowestFirst: Bool) -> [HoldReason] {
        var reasons: [HoldReason] = []
        if hasEnoughPosts {
            if let above = settings.above, let percentile,
                above.isExceeded(by: points, percentile: percentile, lowestFirst: lowestFirst)
            {
                reasons.append(.above)
            }
            if settings.rate != nil, let times, times.isTooSoon(at: playedAt) { reasons.append(.rate) }
            if let pace = settings.pace, let times, times.isTooFast(points, at: playedAt, pace: pace) {
                reasons.append(.pace)
            }
        }
        if settings.judgeMinutes != nil { reasons.append(.judge) }
        return reasons
    }
}

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
