import Domain
import Foundation
import OrderStatistics
import Storage
import Telemetry
import TestDatabases
import Testing

@testable import Leaderboard

/// Batches are judged by the places that the stream has brought.
@Suite struct JudgedBatchTests {
    @Test("posts and donations go in one round trip once memory knows their boards, and each balance is right")
    func oneTrip() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            let player = try await database.addPlayer("Ada")
            try await withFollower(database, now: { .noon }) { live in
                try await live.catchUp()
                let metrics = MetricsRegistry()
                let batcher = WriteBatcher(
                    store: database.store, clock: ServerClock { .noon }, memory: live.memory, workersCount: 1,
                    meters: WriteMeters(metrics))
                try await withThrowingTaskGroup(of: Void.self) { services in
                    services.addTask { await batcher.run() }
                    defer { services.cancelAll() }
                    var (balance, points) = (Int64(0), Int64(0))
                    try await live.wait("twenty batches that are judged from memory") {
                        points += 2
                        let posted = try await batcher.record(includesTotal: true) { arrival in
                            NewScore(
                                points, by: .player(player), on: .highScores, in: .defaultGame, id: UUID(),
                                reachedAt: arrival)
                        }
                        balance += points
                        #expect(posted.receipt.outcome == .recorded && posted.receipt.balance == balance)
                        #expect(posted.receipt.best == points && posted.receipt.improved)
                        let donated = try await batcher.donate { arrival in
                            NewDonation(
                                1, by: .player(player), to: CharityName(.of("trees")), id: UUID(),
                                isAnonymous: points.isMultiple(of: 4), reachedAt: arrival)
                        }.receipt
                        balance -= 1
                        #expect(donated.outcome == .recorded && donated.balance == balance)
                        return Self.written(metrics) >= 20
                    }
                }
                #expect(try await database.auditComplaints() == [])
            }
        }
    }

    @Test("the place of a hidden player is not known, and nobody's is while the stream is away") func places()
        async throws
    {
        try await withTestDatabase { database in
            let player = try await database.addPlayer("Ada", points: 5)
            let eve = try await database.addPlayer("Eve")
            let board = try #require(try await database.store.findBoard(.of("purse"), in: .defaultGame, now: .noon)?.id)
            #expect(LeaderboardMemory(store: database.store).standings.place(of: player, on: board) == .unknown)
            try await withFollower(database) { live in
                let standings = live.memory.standings
                try await live.wait("the places") {
                    try await live.catchUp()
                    return standings.place(of: player, on: board) == .at(orderKey: -5, reachedAt: .noon)
                        && standings.place(of: eve, on: board) == .none
                }
                try await database.moderate(.hide(player))
                try await live.wait("the player to be hidden") {
                    try await live.catchUp()
                    return standings.place(of: player, on: board) == .unknown
                }
            }
        }
    }

    private static func written(_ metrics: MetricsRegistry) -> Int {
        var text = MetricsText()
        metrics.write(to: &text)
        let line = text.text.split(separator: "\n").first { $0.hasPrefix(#"causeboard_batches_total{way="one_trip"}"#) }
        return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
    }
}
