import Domain
import Foundation
import Postgres
import TestDatabases
import Testing

@testable import Leaderboard
@testable import Storage

/// What takes long keeps nobody else's post waiting: scores of players who earn while donations of theirs are not
/// funded, for which all of these are looked at, and donations to charities that have a cap, which are judged one after
/// the other.
@Suite struct PatientWorkersTests {
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

    @Test("a donation to a charity with a cap is deferred, and the rest of its batch is recorded") func capped()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            try await database.addCharity("bees") { $0.capInAll = .set(15) }
            let players = [
                try await database.addPlayer("Ada", points: 20), try await database.addPlayer("Bob", points: 20),
            ]
            let donations = zip(players, ["bees", "trees"]).map { Self.donation(10, by: $0, to: $1) }
            func commit(_ donations: [NewDonation], putsOffLong: Bool) async throws -> LedgerAnswer {
                try await database.store.commit(
                    scores: [], donations: donations, isRepeated: false, putsOffLong: putsOffLong, marker: nil,
                    now: .noon)
            }
            let shared = try await commit(donations, putsOffLong: true)
            #expect(shared.donations.map(\.outcome) == [.deferred, .recorded] && shared.capped == [0])
            let apart = try await commit([donations[0]], putsOffLong: false)
            #expect(apart.donations.map(\.outcome) == [.recorded] && apart.capped == [])
            let more = try await commit([Self.donation(6, by: players[0], to: "bees")], putsOffLong: false)
            #expect(more.donations.map(\.outcome) == [.capReached])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("nobody's post waits for a charity with a cap that another transaction has locked", .timeLimit(.minutes(5)))
    func cappedApart() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            try await database.addCharity("bees") { $0.capInAll = .set(15) }
            let (ada, bob) = (
                try await database.addPlayer("Ada", points: 20), try await database.addPlayer("Bob", points: 20)
            )
            let memory = LeaderboardMemory(store: database.store)
            let batcher = WriteBatcher(
                store: database.store, clock: ServerClock { .noon }, memory: memory, workersCount: 1)
            @Sendable func donate(_ points: Int64, by player: Player.ID, to charity: String) async throws
                -> DonationOutcome
            { try await batcher.donate { _ in Self.donation(points, by: player, to: charity) }.receipt.outcome }
            let holder = try await Connection.open(database.owner, logger: .none)
            defer { holder.close() }
            try await holder.script("begin; select from charity where slug = 'bees' for update")
            try await withThrowingTaskGroup { group in
                group.addTask { await batcher.run() }
                // The first goes through a worker that does not know the cap, the second to the worker for caps.
                let waiting = Task { try await donate(10, by: ada, to: "bees") }
                while try await Self.waiting(database) == 0 { await Task.yield() }
                #expect(memory.batches.isCapped(CharityName(.of("bees"))))
                #expect(!memory.batches.isCapped(CharityName(.of("trees"))))
                for _ in 1...3 { #expect(try await donate(1, by: bob, to: "trees") == .recorded) }
                let second = Task { try await donate(6, by: bob, to: "bees") }
                for _ in 1...3 {
                    let posted = try await batcher.record(includesTotal: false) { _ in Self.score(1, by: bob) }
                    #expect(posted.receipt.outcome == .recorded)
                }
                #expect(try await Self.waiting(database) == 1)
                try await holder.script("commit")
                #expect(try await waiting.value == .recorded)
                #expect(try await second.value == .capReached)
                group.cancelAll()
            }
            #expect(try await database.owner.ask("select sum(points) from donation") == ["13"])
            #expect(try await database.auditComplaints() == [])
        }
    }

    private static func donation(_ points: Int64, by player: Player.ID, to charity: String) -> NewDonation {
        NewDonation(points, by: .player(player), to: CharityName(.of(charity)), id: UUID(), reachedAt: .noon)
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
