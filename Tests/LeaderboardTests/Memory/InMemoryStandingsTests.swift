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
        let board = Board.sample(1)
        standings.add(.sample(1))
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

extension Day {
    /// Today on a ``Board/sample(_:endedAt:)``.
    static let sample = Day(daysSince1970: 20_000)
}

extension Board {
    /// A season of a board of scores, on which each player's best one counts.
    /// - Parameter endedAt: Nil while it is played.
    static func sample(_ id: Int32, endedAt: Instant? = nil) -> Board {
        Board(
            id: Board.ID(rawValue: id), kind: .score, slug: "board", name: "Board", policy: .best, lowestFirst: false,
            ties: .first, zone: "UTC", opensAt: nil, closesAt: nil, endedAt: endedAt, bounds: 0...100, today: .sample)
    }
}

extension FollowedBoard {
    /// The ``Board/sample(_:endedAt:)`` with this id, as the stream tells of it.
    static func sample(_ id: Int32) -> FollowedBoard {
        FollowedBoard(id: Board.ID(rawValue: id), policy: .best, lowestFirst: false, isDonationBoard: false)
    }
}
