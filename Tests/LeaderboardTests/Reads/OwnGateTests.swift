import Domain
import Postgres
import Synchronization
import TestDatabases
import Testing

@testable import Leaderboard
@testable import Storage

@Suite struct OwnGateTests {
    private final class Refusals: Sendable { let count = Mutex(0) }

    @Test(
        "whoever asks for itself often, while that takes long, has one connection, and all who do leave some to others",
        .timeLimit(.minutes(5))) func bounded() async throws
    {
        try await withTestDatabase { database in
            let memory = LeaderboardMemory(store: database.store)
            let rankings = Rankings(store: database.store, clock: ServerClock { .noon }, memory: memory)
            var players: [Player.ID] = []
            for name in ["Ada", "Bea", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal"] {
                players.append(try await database.addPlayer(name))
            }
            let most = (database.store.readConnectionsMax - 1) / 2
            let holder = try await Connection.open(database.owner, logger: .none)
            defer { holder.close() }
            // Nobody reads what slots have, which an own profile does and nothing else here.
            try await holder.script("begin; lock table save in access exclusive mode")
            let ada = players[0]
            let refusals = Refusals()
            let reads = (0..<30).map { _ in
                Task { () async -> Bool in
                    if (try? await rankings.ownProfile(of: ada)) != nil { return true }
                    refusals.count.withLock { $0 += 1 }
                    return false
                }
            }
            // One runs and sixteen wait; the others are refused while they do.
            while refusals.count.withLock({ $0 }) < 13 { await Task.yield() }
            while database.store.generalPool.use.lent == 0 { await Task.yield() }
            #expect(database.store.generalPool.use.lent == 1)
            let others = players.dropFirst().map { player in
                Task { try await rankings.ownProfile(of: player).profile.balance }
            }
            while database.store.generalPool.use.lent < most { await Task.yield() }
            for player in players { #expect(try await database.store.findGame(of: player)?.slug == .defaultGame) }
            #expect(database.store.generalPool.use.lent == most && database.store.generalPool.use.waiting == 0)
            try await holder.script("rollback")
            for other in others { #expect(try await other.value == 0) }
            var answered = 0
            for read in reads where await read.value { answered += 1 }
            #expect(answered == 17)
        }
    }
}
