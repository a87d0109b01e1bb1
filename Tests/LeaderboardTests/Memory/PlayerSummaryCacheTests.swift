import Concurrency
import Domain
import Postgres
import Storage
import Synchronization
import TestDatabases
import Testing

@testable import Leaderboard

/// These tests edit the database behind the stream's back: what the cache still answers afterwards was in memory.
@Suite struct PlayerSummaryCacheTests {
    static let nobody: Int64 = 7

    @Test("a name is read once and kept, until the stream tells of a change or is lost") func keeps() async throws {
        try await withTestDatabase { database in
            let player = try await database.addPlayer("Ada").rawValue
            let summaries = PlayerSummaryCache(store: database.store, bytes: 1 << 20)
            #expect(try await summaries.name(of: player) == "Ada")
            try await database.rename(player, "Bo")
            #expect(try await summaries.name(of: player) == "Bo", "nothing is kept without a stream")
            summaries.setFollowing(true)
            let version = summaries.version
            #expect(try await summaries.name(of: player) == "Bo")
            try await database.rename(player, "Cy")
            #expect(try await summaries.name(of: player) == "Bo" && summaries.version == version)
            #expect(try await summaries.name(of: -player) == "Anonymous", "no player")
            summaries.forget(player)
            #expect(summaries.version != version)
            #expect(try await summaries.name(of: player) == "Cy")
            try await database.rename(player, "Di")
            summaries.setFollowing(false)
            #expect(try await summaries.name(of: player) == "Di")
            #expect(try await summaries.summaries(of: [Self.nobody, player]).map { $0?.name } == [nil, "Di"])
        }
    }

    @Test("a name that was read before the change could be seen is forgotten a second time") func forgetsAgain()
        async throws
    {
        try await withTestDatabase { database in
            let player = try await database.addPlayer("Ada").rawValue
            let summaries = PlayerSummaryCache(store: database.store, bytes: 1 << 20)
            summaries.setFollowing(true)
            // The stream tells of a commit that other transactions do not see yet.
            summaries.forget(player)
            #expect(try await summaries.name(of: player) == "Ada")
            try await database.rename(player, "Bo")
            summaries.forgetAgain()
            #expect(try await summaries.name(of: player) == "Ada", "the commit may not be seen before a second is over")
            let version = summaries.version
            summaries.forgetAgain()
            #expect(summaries.version != version)
            #expect(try await summaries.name(of: player) == "Bo")
        }
    }

    @Test("those who are near come along") func near() async throws {
        try await withTestDatabase { database in
            let (ada, bo) = (try await database.addPlayer("Ada").rawValue, try await database.addPlayer("Bo").rawValue)
            let summaries = PlayerSummaryCache(store: database.store, bytes: 1 << 20)
            summaries.setFollowing(true)
            #expect(try await summaries.summaries(of: [ada]) { [bo] }.map { $0?.name } == ["Ada"])
            try await database.rename(bo, "Cy")
            #expect(try await summaries.name(of: bo) == "Bo")
        }
    }

    @Test("when the database is asked for very many, all are read of whom there is room, and once more after a failure")
    func fill() async throws {
        try await withTestDatabase { database in
            var players: [Int64] = []
            for index in 0..<40 { players.append(try await database.addPlayer("Player \(index)").rawValue) }
            let summaries = PlayerSummaryCache(store: database.store, bytes: 1 << 20, readsMax: 3, pageRows: 7)
            summaries.setFollowing(true)
            try await withThrowingTaskGroup { group in
                group.addTask { await summaries.fill() }
                try await database.owner.script("revoke select on shown_player from causeboard_server")
                for _ in 0..<3 { await #expect(throws: StoreError.self) { try await summaries.name(of: players[0]) } }
                // Reads are not counted until the failure is noticed.
                try await Task.sleep(for: .milliseconds(200))
                #expect(summaries.keptCount == 0)
                try await database.owner.script("grant select on shown_player to causeboard_server")
                for _ in 0..<3 { #expect(try await summaries.name(of: Self.nobody) == nil) }
                for _ in 0..<500 where summaries.keptCount < 40 { try await Task.sleep(for: .milliseconds(10)) }
                group.cancelAll()
            }
            try await database.owner.script("update player set name = name || '!'")
            #expect(try await summaries.summaries(of: players).map { $0?.name } == (0..<40).map { "Player \($0)" })
        }
    }

    @Test(
        """
        they take no more memory than they may, those asked for last stay, \
        and nobody is forgotten for those who were not asked for
        """) func room() async throws
    {
        try await withTestDatabase { database in
            // All these players are in one shard, which has room for five in each of its two generations.
            let players: [Int64] = (1...40).map { $0 * 256 }
            for player in players {
                try await database.owner.script(
                    """
                    insert into player (id, game_id, name, registered_at)
                    select \(player), id, 'P\(player)', now() from game where slug = 'default'
                    """)
            }
            let summaries = PlayerSummaryCache(
                store: database.store, bytes: 256 * 2 * 5 * 88, readsMax: 13, pageRows: 7)
            summaries.setFollowing(true)
            for player in players.prefix(12) { _ = try await summaries.name(of: player) }
            #expect(summaries.keptCount == 7, "five of the old generation, two of the young")
            try await withThrowingTaskGroup { group in
                group.addTask { await summaries.fill() }
                #expect(try await summaries.name(of: Self.nobody) == nil)
                try await Task.sleep(for: .milliseconds(300))
                group.cancelAll()
            }
            #expect(summaries.keptCount == 7)
            try await database.owner.script("update player set name = name || '!'")
            for player in players[7..<12].reversed() { #expect(try await summaries.name(of: player) == "P\(player)") }
            #expect(try await summaries.name(of: players[0]) == "P\(players[0])!")
        }
    }

    @Test("what was read before a change is not kept after it") func changedMeanwhile() async throws {
        try await withTestDatabase { database in
            let player = try await database.addPlayer("Ada").rawValue
            let summaries = PlayerSummaryCache(store: database.store, bytes: 1 << 20)
            summaries.setFollowing(true)
            // The other rows are read after the changes were counted and before the database is asked.
            #expect(
                try await summaries.summaries(of: [player]) {
                    summaries.forget(player)
                    return []
                }.first??.name == "Ada")
            #expect(summaries.keptCount == 0)
            #expect(
                try await summaries.summaries(of: [player]) {
                    summaries.setFollowing(false)
                    summaries.setFollowing(true)
                    return []
                }.first??.name == "Ada")
            #expect(summaries.keptCount == 0)
            #expect(try await summaries.name(of: player) == "Ada")
            #expect(summaries.keptCount == 1)
        }
    }
}

extension PlayerSummaryCache {
    fileprivate func name(of player: Int64) async throws -> String? {
        try await summaries(of: [player]).first.flatMap { $0?.name }
    }
}

extension TestDatabase {
    fileprivate func rename(_ player: Int64, _ name: String) async throws {
        try await owner.script("update player set name = '\(name)' where id = \(player)")
    }
}

extension PlayerSummaryCache {
    /// Summaries in memory; one that was found in the old generation counts twice.
    fileprivate var keptCount: Int {
        shards.reduce(0) { count, shard in shard.state.withLock { count + $0.summaries.count } }
    }
}
