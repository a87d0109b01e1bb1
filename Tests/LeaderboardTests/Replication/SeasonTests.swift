import Domain
import Leaderboard
import Storage
import Synchronization
import TestDatabases
import TestDice
import Testing

@Suite struct SeasonTests {
    @Test("while many post, a season that has ended never changes again, and nothing is lost between two") func resets()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("ladder") { $0.policy = .sum }
            var players: [Player.ID] = []
            for index in 0..<12 { players.append(try await database.addPlayer("player \(index)")) }
            let rankings = Rankings(
                store: database.store, clock: ServerClock { .noon }, memory: LeaderboardMemory(store: database.store))
            func ranking(_ season: Int32) async throws -> Ranking {
                let board = try #require(
                    try await rankings.findBoard(.score(game: .defaultGame, board: .of("ladder"), season: season)))
                return try await rankings.ranking(
                    of: board, window: .all, days: nil, pageRequest: .top, limitRows: 100, includesTotal: true)
            }
            let isDone = Done()
            var finals: [Ranking] = []
            let posted = try await withThrowingTaskGroup(of: Int.self) { group in
                for (writer, player) in players.enumerated() {
                    group.addTask {
                        var dice = Dice(seed: UInt64(writer))
                        var posted = 0
                        while !isDone.value {
                            let receipt = try await database.post(
                                Int64.random(in: 1...9, using: &dice), by: player, on: "ladder",
                                at: Instant.noon.advanced(bySeconds: Int64(posted)))
                            #expect(receipt.outcome == .recorded)
                            posted += 1
                        }
                        return posted
                    }
                }
                defer { isDone.end() }
                for season in Int32(1)...6 {
                    // The season goes on until there are posts in it.
                    while try await ranking(season).rows.count < 3 {}
                    #expect(
                        try await database.store.resetBoard(.of("ladder"), in: .defaultGame, now: .noon) == season + 1)
                    finals.append(try await ranking(season))
                }
                isDone.end()
                return try await group.reduce(0, +)
            }
            for (season, final) in zip(Int32(1)..., finals) {
                let now = try await ranking(season)
                #expect(
                    now.rows == final.rows && now.ranks == final.ranks && now.size == final.size && final.isFinal,
                    "season \(season)")
            }
            #expect(try await database.owner.ask("select count(*) from score") == ["\(posted)"])
            #expect(try await database.auditComplaints() == [])
        }
    }
}

/// Tells background tasks when to stop.
final class Done: Sendable {
    private let isDone = Mutex(false)
    var value: Bool { isDone.withLock { $0 } }
    func end() { isDone.withLock { $0 = true } }
}
