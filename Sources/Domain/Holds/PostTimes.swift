/// When a player posted to a board before, as far as that can be believed.
package struct PostTimes: Sendable, Equatable {
    /// How long as many posts as a board takes in a minute have to take.
    static let secondsLimited: Int64 = 60

    /// The last post; nil before the first.
    package let last: Instant?
    /// The earliest of as many posts as the board takes in a minute; nil when there were fewer.
    package let earliest: Instant?

    package init(last: Instant?, earliest: Instant?) {
        self.last = last
        self.earliest = earliest
    }

    /// When a post was played: what it says of that, if it lies between the player's last post and now, else when it
    /// arrived. So posts that waited for a network are no burst, and nobody gains time that has not passed.
    func time(playedAt: Instant?, reachedAt: Instant) -> Instant {
        // Before the first post there is no bound but this one.
        let bound = last ?? reachedAt.advanced(bySeconds: -Limits.firstPostSecondsMax)
        guard let playedAt, playedAt <= reachedAt, bound <= playedAt else { return max(reachedAt, last ?? reachedAt) }
        return playedAt
    }

    /// Whether as many posts as the board takes in a minute were played in the minute before.
    func isTooSoon(at playedAt: Instant) -> Bool {
        earliest.map { playedAt < $0.advanced(bySeconds: Self.secondsLimited) } ?? false
    }

    /// Whether points are more than so many a minute since the last post.
    func isTooFast(_ points: Int64, at playedAt: Instant, pace: Int64) -> Bool {
        guard let last, points > 0 else { return false }
        let microseconds = Int128(playedAt.microsecondsSince1970) - Int128(last.microsecondsSince1970)
        return Int128(points) * 60_000_000 > Int128(pace) * microseconds
    }
}
