import TestDice
import Testing

@testable import Domain

@Suite struct TimedPostsTests {
    private static let noon = Instant(microsecondsSince1970: 1_700_000_000_000_000)

    private static func at(_ seconds: Int64) -> Instant { noon.advanced(bySeconds: seconds) }

    @Test("each board has its own posts, and the earliest is that of as many as it takes in a minute") func boards() {
        let (quiz, race) = (Board.ID(rawValue: 1), Board.ID(rawValue: 2))
        var posts = TimedPosts.none
        #expect(posts.times(on: quiz, postsTimed: 2) == PostTimes(last: nil, earliest: nil))
        posts = posts.adding(Self.at(0), on: quiz, postsTimed: 2)
        posts = posts.adding(Self.at(1), on: race, postsTimed: 1)
        #expect(posts.times(on: quiz, postsTimed: 2) == PostTimes(last: Self.at(0), earliest: nil))
        posts = posts.adding(Self.at(5), on: quiz, postsTimed: 2)
        #expect(posts.times(on: quiz, postsTimed: 2) == PostTimes(last: Self.at(5), earliest: Self.at(0)))
        #expect(posts.times(on: race, postsTimed: 1) == PostTimes(last: Self.at(1), earliest: Self.at(1)))
        posts = posts.adding(Self.at(6), on: quiz, postsTimed: 2)
        #expect(posts.boards == [race, quiz, quiz] && posts.times == [Self.at(1), Self.at(5), Self.at(6)])
        // Those of a minute before go, and the last one of another board never does.
        posts = posts.adding(Self.at(65), on: quiz, postsTimed: 2)
        #expect(posts.boards == [race, quiz, quiz] && posts.times == [Self.at(1), Self.at(6), Self.at(65)])
        posts = posts.adding(Self.at(125), on: quiz, postsTimed: 2)
        #expect(posts.boards == [race, quiz] && posts.times == [Self.at(1), Self.at(125)])
    }

    @Test("there are as many boards as times") func sizes() {
        #expect(TimedPosts(boards: [], times: []) == TimedPosts.none)
        #expect(TimedPosts(boards: [Board.ID(rawValue: 1)], times: []) == nil)
    }

    @Test("what is dropped changes no decision: every post is too soon, and too fast, as if all were kept")
    func decisions() {
        var dice = Dice(seed: 38)
        var tooSoon = 0
        for _ in 0..<200 {
            let postsTimed = Int32.random(in: 1...6, using: &dice)
            let boards = [Board.ID(rawValue: 1), Board.ID(rawValue: 2)]
            var all: [Board.ID: [Instant]] = [:]
            var (posts, now) = (TimedPosts.none, Self.noon)
            for _ in 0..<40 {
                now = now.advanced(bySeconds: [0, 1, 9, 20, 30, 60, 90].randomElement(using: &dice) ?? 0)
                let playedAt = now.advanced(bySeconds: -Int64.random(in: 0...70, using: &dice))
                let board = boards[Int.random(in: 0...1, using: &dice)]
                let before = all[board, default: []]
                let kept = posts.times(on: board, postsTimed: postsTimed)
                let known = PostTimes(
                    last: before.last,
                    earliest: before.count < postsTimed ? nil : before[before.count - Int(postsTimed)])
                #expect(kept.last == known.last)
                let time = kept.time(playedAt: playedAt, reachedAt: now)
                #expect(kept.isTooSoon(at: time) == known.isTooSoon(at: time))
                if known.isTooSoon(at: time) { tooSoon += 1 }
                all[board, default: []].append(time)
                posts = posts.adding(time, on: board, postsTimed: postsTimed)
                #expect(posts.boards.count <= boards.count * Int(postsTimed))
            }
        }
        #expect(tooSoon > 500)
    }
}
