import Domain
import Foundation
import Postgres
import TestDatabases
import Testing

@testable import Leaderboard
@testable import Storage

/// Whoever earns while its donations are not funded has all of them looked at.
@Suite struct ShortPlayerTests {
    /// A player whose ten points were given to `trees`, and then voided.
    private static func shortPlayer(_ name: String, _ database: TestDatabase) async throws -> Player.ID {
        let player = try await database.addPlayer(name)
        let score = try await database.post(10, by: player, on: "high-scores")
        #expect(try await database.donate(10, by: player, to: "trees").outcome == .recorded)
        try await database.moderate(.void(player, score: score.id))
        return player
    }

    private static func score(_ points: Int64, by player: Player.ID) -> NewScore {
        NewScore(points, by: .player(player), on: .highScores, in: .defaultGame, id: UUID(), reachedAt: .noon)
    }

    @Test("a score that funds donations again is put off, and what others post beside it is recorded") func putOff()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            let eve = try await Self.shortPlayer("Eve", database)
            let ada = try await database.addPlayer("Ada")
            let scores = [Self.score(4, by: eve), Self.score(5, by: ada)]
            func commit(_ scores: [NewScore], putsOffLong: Bool) async throws -> ([ScoreOutcome], short: [Int]) {
                let answer = try await database.store.commit(
                    scores: scores, donations: [], isRepeated: false, putsOffLong: putsOffLong, marker: nil, now: .noon)
                return (answer.scores.map { $0.outcome }, answer.long)
            }
            let unfunded = "select coalesce(sum(unfunded), 0) from donation_state"
            let (shared, short) = try await commit(scores, putsOffLong: true)
            #expect(shared == [.deferred, .recorded] && short == [0])
            #expect(try await database.owner.ask(unfunded) == ["10"])
            let (again, none) = try await commit([scores[0]], putsOffLong: false)
            #expect(again == [.recorded] && none == [])
            #expect(try await database.owner.ask(unfunded) == ["6"])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("nobody's post waits for a player whose donations are funded again", .timeLimit(.minutes(5))) func apart()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            let eve = try await Self.shortPlayer("Eve", database)
            let ada = try await database.addPlayer("Ada")
            let batcher = WriteBatcher(
                store: database.store, clock: ServerClock { .noon }, memory: LeaderboardMemory(store: database.store),
                workersCount: 1)
            @Sendable func post(_ points: Int64, by player: Player.ID) async throws -> ScoreReceipt {
                try await batcher.record(includesTotal: false) { _ in Self.score(points, by: player) }.receipt
            }
            // What is recomputed for Eve cannot end before this does.
            let holder = try await Connection.open(database.owner, logger: .none)
            defer { holder.close() }
            try await holder.script("begin; select from donation_state for update")
            try await withThrowingTaskGroup { group in
                group.addTask { await batcher.run() }
                let funding = Task { try await post(4, by: eve) }
                while try await Self.waiting(database) == 0 { await Task.yield() }
                for points in Int64(1)...3 { #expect(try await post(points, by: ada).outcome == .recorded) }
                #expect(try await Self.waiting(database) == 1)
                try await holder.script("commit")
                #expect(try await funding.value.outcome == .recorded)
                group.cancelAll()
            }
            #expect(try await database.owner.ask("select sum(unfunded) from donation_state") == ["6"])
            #expect(try await database.auditComplaints() == [])
        }
    }

    /// How many sessions of the server wait for a lock.
    private static func waiting(_ database: TestDatabase) async throws -> Int {
        let count = try await database.owner.ask(
            """
            select count(*) from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'
            """)
        return count.first.flatMap { Int($0) } ?? 0
    }
}
