import Domain
import OrderStatistics
import Storage
import TestDatabases
import Testing

@testable import Leaderboard

@Suite struct InMemoryStandingsTests {
    @Test("rows are read only while the stream has brought all that was acknowledged and all of two seconds ago")
    func freshness() throws {
        let standings = InMemoryStandings()
        standings.begin(hidden: [])
        let board = Board(
            id: Board.ID(rawValue: 1),
            kind: .score,
            slug: "board",
            name: "Board",
            policy: .best,
            lowestFirst: false,
            ties: .first,
            zone: "UTC",
            opensAt: nil,
            closesAt: nil,
            endedAt: nil,
            bounds: 0...100,
            today: Day(daysSince1970: 20_000)
        )
        standings.add(FollowedBoard(id: board.id, policy: .best, lowestFirst: false, isDonationBoard: false))
        /// Whether a post's rank, and a ranking, come from memory.
        func areRead() -> [Bool] {
            [
                standings.read(board.id) { _ in true } ?? false,
                standings.read(board, days: nil) { _, _ in true } ?? false,
            ]
        }
        #expect(areRead() == [false, false], "no heartbeat has come back")
        let (past, future) = (ContinuousClock.now - .seconds(1), ContinuousClock.now + .seconds(3_600))
        standings.freshness.set(isCurrent: true, freshUntil: future)
        #expect(areRead() == [true, true])
        standings.freshness.set(isCurrent: false, freshUntil: future)
        #expect(areRead() == [false, false], "an acknowledged commit is missing")
        standings.freshness.set(isCurrent: true, freshUntil: past)
        #expect(areRead() == [false, false], "the last heartbeat is too old")
        standings.freshness.set(isCurrent: true, freshUntil: nil)
        #expect(areRead() == [false, false], "the stream is lost")
    }
}
