import Domain
import Storage
import Synchronization
import TestDatabases
import Testing

@testable import Leaderboard

@Suite struct CacheValidatorTests {
    private static let ladder = Rankings.Subject.score(game: .defaultGame, board: .of("ladder"), season: nil)

    @Test("a ranking whose season ended while it was read is outdated at once") func seasonEnds() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("ladder")
            try await withFollower(database) { live in
                try await live.catchUp()
                let rankings = live.rankings
                let versions = rankings.versions
                let board = try #require(try await rankings.findBoard(Self.ladder))
                #expect(try await database.store.resetBoard(.of("ladder"), in: .defaultGame, now: .noon) == 2)
                try await live.catchUp()
                let validator = try await live.wait(for: "a validator of the season that ended") {
                    try await rankings.validator(of: board, window: .all, days: nil, since: versions)
                }
                try await live.wait("the standings to be current") { live.memory.standings.areCurrent }
                #expect(!rankings.isCurrent(validator))
                // A reader who begins later finds the season that is played, and once the board was forgotten for the
                // second time, what was read stays current.
                try await live.wait("a validator that stays current") {
                    let later = rankings.versions
                    let next = try #require(try await rankings.findBoard(Self.ladder))
                    #expect(next.id != board.id)
                    let current = try await rankings.validator(of: next, window: .all, days: nil, since: later)
                    guard let current else { return false }
                    return rankings.isCurrent(current)
                }
            }
        }
    }

    @Test("a ranking of today is outdated once the day has ended, also on a board that closes later") func dayEnds()
        async throws
    {
        try await withTestDatabase { database in
            let evening = Instant.at("2026-11-20T23:59:59Z")
            try await database.addBoard("ladder") { $0.closesAt = .at("2026-12-24T12:00:00Z") }
            let clock = Mutex(evening)
            try await withFollower(database, now: { clock.withLock { $0 } }) { live in
                let rankings = live.rankings
                try await live.wait("today to be in memory") {
                    try await live.catchUp()
                    guard let board = try await rankings.findBoard(Self.ladder) else { return false }
                    return live.memory.standings.read(board, days: board.today...board.today) { _, _ in true } ?? false
                }
                let versions = rankings.versions
                let board = try #require(try await rankings.findBoard(Self.ladder))
                // Midnight comes after the board was found, and before its rows are read.
                clock.withLock { $0 = evening.advanced(bySeconds: 2) }
                let validator = try await live.wait(for: "a validator of the day that ended") {
                    try await rankings.validator(of: board, window: .today, days: nil, since: versions)
                }
                try await live.wait("the standings to be current") { live.memory.standings.areCurrent }
                #expect(!rankings.isCurrent(validator))
            }
        }
    }

    @Test("a board that changed is forgotten twice, because SQL may show it as it was for another moment")
    func boardsTwice() async throws {
        try await withTestDatabase { database in
            let memory = LeaderboardMemory(store: database.store)
            memory.boardCache.forget()
            memory.boardCache.forgetAgain()
            let version = memory.boardCache.version
            memory.boardCache.forgetAgain()
            #expect(memory.boardCache.version == version + 1)
            memory.boardCache.forgetAgain()
            #expect(memory.boardCache.version == version + 1)
        }
    }

    @Test("whoever is answered from a cached feed keeps its window in memory") func cachedFeed() async throws {
        try await withTestDatabase { database in
            let memory = LeaderboardMemory(store: database.store)
            let rankings = Rankings(store: database.store, clock: ServerClock { .noon }, memory: memory)
            let standings = memory.standings
            standings.freshness.set(isCurrent: true, freshUntil: .now + .seconds(3_600))
            standings.begin(hidden: [])
            standings.add(.sample(1))
            let window = try #require(standings.loadedWindow(of: .sample(1), days: nil))
            let validator = CacheValidator(
                watched: [.window(window, try #require(window.version))], before: rankings.versions,
                until: Instant(microsecondsSince1970: .max))
            standings.tidy(at: 7)
            #expect(window.lastAsked == 0 && rankings.isCurrent(validator))
            #expect(window.lastAsked == 7 && window.wasReadAgain)
            window.setHidden(1, true)
            standings.tidy(at: 8)
            #expect(!rankings.isCurrent(validator) && window.lastAsked == 7, "a stale feed is read anew")
        }
    }

    @Test("while the stream is late a board is read from the database, although it is in the cache") func lateStream()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("ladder")
            let memory = LeaderboardMemory(store: database.store)
            let rankings = Rankings(store: database.store, clock: ServerClock { .noon }, memory: memory)
            memory.boardCache.setFollowing(true)
            func name() async throws -> String? { try await rankings.findBoard(Self.ladder)?.name }
            let first = try await name()
            try await database.owner.script("update board set name = 'new' where slug = 'ladder'")
            memory.standings.freshness.set(isCurrent: true, freshUntil: .now + .seconds(3_600))
            #expect(try await name() == first)
            memory.standings.freshness.set(isCurrent: true, freshUntil: .now - .nanoseconds(1))
            #expect(try await name() == "new")
        }
    }
}
