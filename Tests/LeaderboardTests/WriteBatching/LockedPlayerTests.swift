import Domain
import Foundation
import Postgres
import Storage
import Telemetry
import TestDatabases
import Testing

@testable import Leaderboard

@Suite struct LockedPlayerTests {
    @Test(
        "a post waits while somebody holds its player's lock, others do not, and nobody has to wake the worker for it",
        .timeLimit(.minutes(5))) func waits() async throws
    {
        try await withTestDatabase { database in
            let metrics = MetricsRegistry()
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            let writeBatcher = WriteBatcher(
                store: database.store, clock: ServerClock { .noon }, memory: LeaderboardMemory(store: database.store),
                workersCount: 1, meters: WriteMeters(metrics))
            @Sendable func post(_ player: Player.ID) async throws -> ScoreOutcome {
                try await writeBatcher.record(includesTotal: false) { arrival in
                    NewScore(5, by: .player(player), on: .highScores, in: .defaultGame, id: UUID(), reachedAt: arrival)
                }.receipt.outcome
            }
            let holder = try await Connection.open(database.owner, logger: .none)
            defer { holder.close() }
            try await holder.script("begin; select from wallet where player_id = \(ada.rawValue) for update")
            try await withThrowingTaskGroup { group in
                group.addTask { await writeBatcher.run() }
                let waiting = Task { try await post(ada) }
                for _ in 0..<10 { #expect(try await post(bob) == .recorded) }
                #expect(try await database.owner.ask("select count(*) from score") == ["10"])
                try await holder.script("commit")
                #expect(try await waiting.value == .recorded)
                group.cancelAll()
            }
            var text = MetricsText()
            metrics.write(to: &text)
            // However often Ada's post was put off, it was committed once.
            for family in ["batch_rows_sum", "write_wait_seconds_count"] {
                #expect(text.text.contains("\ncauseboard_\(family) 11\n"))
            }
            #expect(try await database.auditComplaints() == [])
        }
    }
}
