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
