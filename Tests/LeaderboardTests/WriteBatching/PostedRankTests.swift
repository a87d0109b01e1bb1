import Domain
import OrderStatistics
import Storage
import TestDatabases
import Testing

@testable import Leaderboard

/// The rank that a post is answered with while the standings are in memory.
@Suite struct PostedRankTests {
    @Test("a place that only its player is told is one among the rows that others see, and who is hidden has none")
    func own() async throws {
        try await withTestDatabase { database in
            let memory = LeaderboardMemory(store: database.store)
            let (standings, board) = (memory.standings, Board.ID(rawValue: 1))
            standings.begin(hidden: [9])
            let window = standings.prepare(.sample(1))
            let rows = [30, 20, 10].enumerated().map { index, points in
                RankedRow(orderKey: Int64(-points), reachedAt: 0, row: Int64(index + 1))
            }
            standings.install(.of(rows), in: window, readAt: 0)
            standings.freshness.set(isCurrent: true, freshUntil: .now + .seconds(3_600))
            let batcher = WriteBatcher(
                store: database.store, clock: ServerClock { .noon }, memory: memory, workersCount: 1)
            func rank(of player: Int64, posted points: Int64?, _ ties: Board.Ties = .first) async throws
                -> WriteBatcher.CurrentRank
            {
                try await batcher.currentRank(
                    ofRow: player, own: points.map { SortKey(orderKey: Int128(-$0), reachedAt: .noon, row: player) },
                    on: board, ties: ties, includesTotal: true)
            }
            typealias Rank = WriteBatcher.CurrentRank
            let seen = try await rank(of: 2, posted: nil)
            #expect(seen == Rank(rank: 2, size: 3))
            let beside = try await rank(of: 4, posted: 25)
            #expect(beside == Rank(rank: 2, size: 4), "one row more than others see")
            let instead = try await rank(of: 3, posted: 25)
            #expect(instead == Rank(rank: 2, size: 3), "its own row moves up")
            let later = try await rank(of: 4, posted: 20)
            #expect(later == Rank(rank: 3, size: 4), "the one who was there first is before it")
            let shared = try await rank(of: 4, posted: 20, .shared)
            #expect(shared == Rank(rank: 2, size: 4))
            let hidden = try await rank(of: 9, posted: 25)
            #expect(hidden == Rank(rank: nil, size: 3))
        }
    }
}
