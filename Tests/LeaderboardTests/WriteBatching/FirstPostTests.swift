import Domain
import OrderStatistics
import Storage
import TestDatabases
import Testing

@testable import Leaderboard

@Suite struct FirstPostTests {
    @Test("the first post of an unknown device is ranked when it is acknowledged") func isRanked() async throws {
        try await withTestDatabase { database in
            try await withFollower(database) { live in
                try await live.catchUp()
                let batcher = WriteBatcher(
                    store: database.store, clock: ServerClock { .noon }, memory: live.memory, workersCount: 1)
                var rankedCount = 0
                for points in Int64(1)...500 {
                    if points > 20 {
                        guard rankedCount == 0 else { break }
                        // The stream was late for every post so far.
                        try await live.catchUp()
                    }
                    let name = "player \(points)"
                    let post = try await batcher.recordFirstClassic(
                        points: points, on: .highScores, in: database.game, by: database.device(of: name),
                        name: try PlayerName(name, field: "name"), source: "test")
                    guard case .recorded(let receipt) = post, let board = receipt.board, let player = receipt.player
                    else { throw TestDatabaseError("\(post)") }
                    // Nil when the stream is late, and then SQL answers.
                    let isRanked = live.memory.standings.read(board) { $0.find(player.rawValue) != nil }
                    #expect(isRanked != false, "post \(points)")
                    if isRanked == true { rankedCount += 1 }
                }
                #expect(rankedCount > 0)
                #expect(live.memory.commitBarrier.rememberedCount < 10)
            }
        }
    }
}
