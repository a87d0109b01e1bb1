/// The posts of a player that boards whose rules go by times remember: of each board the last one, and those of the
/// minute before it, 600 at most. When one is added, no more are kept of its board than it takes in a minute.
package struct TimedPosts: Sendable, Equatable {
    package static let none = TimedPosts()

    /// The board of each post; as many as there are times.
    package private(set) var boards: [Board.ID] = []
    /// When each was played, as ``PostTimes/time(playedAt:reachedAt:)`` believes it. Those of one board ascend.
    package private(set) var times: [Instant] = []

    private init() {}

    /// - Returns: Nil when there are not as many times as boards.
    package init?(boards: [Board.ID], times: [Instant]) {
        guard boards.count == times.count else { return nil }
        (self.boards, self.times) = (boards, times)
    }

    /// When the player posted to a board.
    /// - Parameter postsTimed: As many as the board takes in a minute, 1 or more.
    package func times(on board: Board.ID, postsTimed: Int32) -> PostTimes {
        var last: Instant?
        var count: Int32 = 0
        for index in boards.indices.reversed() where boards[index] == board {
            if last == nil { last = times[index] }
            count += 1
            if count == postsTimed { return PostTimes(last: last, earliest: times[index]) }
        }
        return PostTimes(last: last, earliest: nil)
    }

    /// These with one more post, without those of its board that its rules look at no more. No post is played before
    /// the one that precedes it, so those of more than a minute before are too old for every later one, too.
    /// - Parameters:
    ///   - time: Not before the last post to the board.
    ///   - postsTimed: As many as the board takes in a minute, 1 or more.
    func adding(_ time: Instant, on board: Board.ID, postsTimed: Int32) -> TimedPosts {
        var others = postsTimed - 1
        let isKept = boards.indices.reversed().map { index in
            guard boards[index] == board else { return true }
            guard others > 0, time < times[index].advanced(bySeconds: PostTimes.secondsLimited) else { return false }
            others -= 1
            return true
        }
        var posts = TimedPosts()
        posts.boards.reserveCapacity(boards.count + 1)
        posts.times.reserveCapacity(boards.count + 1)
        for index in boards.indices where isKept[boards.count - 1 - index] {
            posts.boards.append(boards[index])
            posts.times.append(times[index])
        }
        posts.boards.append(board)
        posts.times.append(time)
        return posts
    }
}

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
