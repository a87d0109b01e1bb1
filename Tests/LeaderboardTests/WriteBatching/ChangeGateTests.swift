import Concurrency
import Domain
import Foundation
import Postgres
import Synchronization
import TestDatabases
import Testing

@testable import Leaderboard
@testable import Storage

@Suite struct ChangeGateTests {
    @Test(
        "however many changes a player asks for at once, one has a connection, and others post and change meanwhile",
        .timeLimit(.minutes(5))) func oneAtATime() async throws
    {
        try await withTestDatabase { database in
            try await database.addCharity("trees") { $0.coolingOffMinutes = 60 }
            let (ada, bob) = (
                try await database.addPlayer("Ada", points: 10), try await database.addPlayer("Bob", points: 10)
            )
            var donations: [UUID] = []
            for player in [ada, bob] { donations.append(try await database.donate(1, by: player, to: "trees").id) }
            let batcher = WriteBatcher(
                store: database.store, clock: ServerClock { .noon }, memory: LeaderboardMemory(store: database.store),
                workersCount: 1)
            let holder = try await Connection.open(database.owner, logger: .none)
            defer { holder.close() }
            try await holder.script("begin; select from wallet where player_id = \(ada.rawValue) for update")
            try await withThrowingTaskGroup { group in
                group.addTask { await batcher.run() }
                let donation = donations[0]
                let changes = (0..<20).map { _ in
                    Task { () -> DonationChangeOutcome? in
                        try? await batcher.change(donation, to: .of("trees"), of: ada, .takeBack)
                    }
                }
                // Three find no place in the line; the others keep theirs or are given up one after the other.
                while try await Self.waiting(database) == 0 { await Task.yield() }
                for points in Int64(1)...5 {
                    let receipt = try await batcher.record(includesTotal: false) { arrival in
                        NewScore(
                            points, by: .player(bob), on: .highScores, in: .defaultGame, id: UUID(), reachedAt: arrival)
                    }.receipt
                    #expect(receipt.outcome == .recorded)
                    #expect(try await Self.waiting(database) <= 1)
                    #expect(database.store.ledgerPool.use.lent <= 2)
                }
                #expect(try await batcher.change(donations[1], to: .of("trees"), of: bob, .takeBack) == .done)
                try await holder.script("commit")
                var outcomes: [DonationChangeOutcome?] = []
                for change in changes { outcomes.append(await change.value) }
                outcomes.append(try await batcher.change(donation, to: .of("trees"), of: ada, .takeBack))
                #expect(outcomes.count { $0 == .done } == 1)
                #expect(outcomes.allSatisfy { $0 == nil || $0 == .done || $0 == .repeated })
                group.cancelAll()
            }
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("operators do not wait for players' changes, nor either of them without an end", .timeLimit(.minutes(5)))
    func apart() async throws {
        let gates = ChangeGates(runningMax: 1)
        let player = Player.ID(rawValue: 1)
        let running = Task { () async throws in
            try await gates.change(of: player) { while !Task.isCancelled { await Task.yield() } }
        }
        while gates.changesRunningCount < 1 { await Task.yield() }
        try await gates.moderate {}
        let waiting = Task { () async throws in try await gates.change(of: nil) {} }
        waiting.cancel()
        await #expect(throws: StoreError.overloaded) { try await waiting.value }
        running.cancel()
        try await running.value
        try await gates.change(of: player) {}
    }

    @Test(
        "a client has half of the turns of either kind, however much it asks for", .timeLimit(.minutes(5)),
        arguments: [false, true]) func clients(areActs: Bool) async throws
    {
        let gates = ChangeGates(runningMax: 4)
        let clients = (1...2).map { ClientKey(high: 0, low: $0) }
        let seen = Seen()
        func ask(_ number: Int64, _ client: ClientKey) -> Task<Void, any Error> {
            Task {
                try await ClientKey.$current.withValue(client) {
                    seen.asked.withLock { $0 += 1 }
                    if areActs {
                        try await gates.moderate { await seen.work(of: client) }
                    } else {
                        let player = Player.ID(rawValue: number)
                        try await gates.change(of: player) { await seen.work(of: client) }
                    }
                }
            }
        }
        var tasks = (Int64(1)...6).map { ask($0, clients[0]) }
        while seen.asked.withLock({ $0 }) < 6 { await Task.yield() }
        for _ in 0..<1_000 { await Task.yield() }
        tasks += (Int64(7)...8).map { ask($0, clients[1]) }
        while seen.running.withLock({ $0.values.reduce(0, +) }) < 4 { await Task.yield() }
        let counts = seen.running.withLock { $0 }
        #expect(counts == [clients[0]: 2, clients[1]: 2])
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
    }

    /// Who has asked, and whose work runs or ran.
    private final class Seen: Sendable {
        let asked = Mutex(0)
        let running = Mutex<[ClientKey: Int]>([:])

        func work(of client: ClientKey) async {
            running.withLock { $0[client, default: 0] += 1 }
            while !Task.isCancelled { await Task.yield() }
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
