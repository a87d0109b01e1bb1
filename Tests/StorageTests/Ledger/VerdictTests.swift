import Domain
import FoundationEssentials
import TestDatabases
import TestDice
import Testing

@testable import Storage

/// Verdicts on boards of every policy: what is derived is what the ledger says after each.
@Suite struct VerdictTests {
    private static let key = TokenHash(bytes: Array(repeating: 9, count: 32))

    private static func judge(_ database: TestDatabase, _ score: UUID?, _ verdict: Verdict, now: Instant) async throws
        -> VerdictOutcome
    {
        let store = database.store
        let waiting = try await store.admin.heldScores(of: .defaultGame, after: nil, limitRows: 101, now: now)
        let item = try #require(waiting.first { $0.score == score }?.item)
        return try await store.admin.judge(item, of: .defaultGame, verdict, by: key, marker: nil, now: now)
    }

    @Test("what is held fits its day when it is let count, and one that does not keeps no other waiting") func room()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("total") { board in
                board.policy = .sum
                board.judgeMinutes = 5
            }
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            try await database.post(5, by: ada, on: "total")
            try await database.post(5, by: bob, on: "total", at: Instant.noon.advanced(bySeconds: 1))
            let due = Instant.noon.advanced(bySeconds: 600)
            #expect(try await database.store.admin.letOverdue(limitRows: 9, now: due).freed == 2)

            // Posts of either sign have filled the day, and what is held has the rest of it.
            try await database.owner.script(
                "update tally set points = \(Int64.max - 8) where player_id = \(ada.rawValue)")
            let held = try await database.post(6, by: ada, on: "total", at: Instant.noon.advanced(bySeconds: 2))
            #expect(held.outcome == .recorded)
            let next = try await database.post(6, by: ada, on: "total", at: Instant.noon.advanced(bySeconds: 3))
            #expect(next.outcome == .outOfBounds)

            // Whatever made it overflow after all, others are let.
            try await database.post(7, by: bob, on: "total", at: Instant.noon.advanced(bySeconds: 4))
            try await database.owner.script("update tally set points = \(Int64.max) where player_id = \(ada.rawValue)")
            let first = try await database.store.admin.letOverdue(limitRows: 1, now: due)
            #expect(first.freed == 0 && first.last != nil)
            let second = try await database.store.admin.letOverdue(after: first.last, limitRows: 1, now: due)
            #expect(second.freed == 1)
        }
    }

    @Test(
        "what counts after a verdict is added to the player's rows, whatever the board's policy is",
        arguments: Dice.slowSeeds(1, 2, 3)) func policies(seed: UInt64) async throws
    {
        try await withTestDatabase { database in
            var dice = Dice(seed: seed)
            let boards = ["best", "low", "total", "newest"]
            for board in boards {
                try await database.addBoard(board) { settings in
                    settings.policy = board == "total" ? .sum : board == "newest" ? .latest : .best
                    settings.lowestFirst = board == "low"
                    settings.judgeMinutes = 1_440
                    settings.earning = board == "low" || board == "newest" ? .none : .points
                }
            }
            _ = try await database.store.admin.addKey(Self.key, name: .of("judge"), to: .defaultGame, now: .noon)
            let ada = try await database.addPlayer("Ada")
            // Equal points and times, and posts on both sides of a midnight.
            var posts: [UUID?] = []
            for second in 0..<12 {
                let at = Instant.noon.advanced(bySeconds: Int64(second / 2) * 9_000)
                let posted = try await database.post(dice.pick([5, 7, 9]), by: ada, on: dice.pick(boards), at: at)
                posts.append(posted.id)
            }
            let now = Instant.noon.advanced(bySeconds: 60_000)
            for post in posts.shuffled(using: &dice) {
                let verdict = dice.percent(70) ? Verdict.clear : .void
                let state = try await Self.judge(database, post, verdict, now: now)
                #expect(state == .done(verdict == .clear ? .counted : .voided))
                #expect(try await database.auditComplaints() == [], "seed \(seed)")
            }
        }
    }

    @Test("until when an owner is not told stays what it was at the post") func terms() async throws {
        try await withTestDatabase { database in
            let store = database.store
            try await database.addBoard("trials") { $0.judgeMinutes = 60 }
            let ada = try await database.addPlayer("Ada")
            try await database.post(5, by: ada, on: "trials")
            for minutes in [0, 10_080] {
                try await database.owner.script("update board set settle = \(minutes) where slug = 'trials'")
                for (seconds, held) in [(599, Int64(0)), (601, 5)] {
                    let now = Instant.noon.advanced(bySeconds: Int64(seconds))
                    #expect(try await store.ownProfile(of: ada, now: now).profile.held == held, "\(minutes) \(seconds)")
                    let state = try await store.scores(of: ada, before: nil, limitRows: 1, now: now).first?.state
                    #expect(state == (held == 0 ? .counted : .held), "\(minutes) \(seconds)")
                }
            }
        }
    }

    @Test("a game's page of what waits for it has no other game's scores") func pages() async throws {
        try await withTestDatabase { database in
            let maze = try await database.addGame("maze")
            for game in [nil, maze] {
                try await database.addBoard("trials", in: (game ?? database.game).slug) { $0.judgeMinutes = 5 }
            }
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob", in: maze))
            let first = try await database.post(5, by: ada, on: "trials")
            let second = try await database.post(6, by: bob, on: "trials", in: maze)
            for (game, post) in [(database.game, first), (maze, second)] {
                let waiting = try await database.store.admin.heldScores(
                    of: game.slug, after: nil, limitRows: 9, now: .noon)
                #expect(waiting.map(\.score) == [post.id])
            }
        }
    }

    @Test("points that a verdict lets count fund donations that have waited for points") func funds() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            try await database.addBoard("trials") { $0.judgeMinutes = 5 }
            let store = database.store
            _ = try await store.admin.addKey(Self.key, name: .of("judge"), to: .defaultGame, now: .noon)
            let ada = try await database.addPlayer("Ada", points: 10)
            try await database.donate(8, by: ada, to: "trees")
            try await database.moderate(.voidAll(ada, heldOnly: false))
            let received = "select coalesce(sum(points), 0)::text from charity_total"
            #expect(try await database.owner.ask(received) == ["0"])
            let first = try await database.post(5, by: ada, on: "trials")
            let second = try await database.post(7, by: ada, on: "trials", at: Instant.noon.advanced(bySeconds: 1))
            let now = Instant.noon.advanced(bySeconds: 2)
            #expect(try await Self.judge(database, first.id, .clear, now: now) == .done(.counted))
            #expect(try await database.owner.ask(received) == ["5"])
            #expect(try await Self.judge(database, second.id, .clear, now: now) == .done(.counted))
            #expect(try await database.owner.ask(received) == ["8"])
            #expect(try await store.ownProfile(of: ada, now: now).profile.balance == 4)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a score that a rule holds as well is held when its game has said nothing in time") func silentGame()
        async throws
    {
        try await withTestDatabase { database in
            let store = database.store
            try await database.addBoard("trials") { $0.judgeMinutes = 5 }
            let ada = try await database.addPlayer("Ada")
            let post = try await database.post(5, by: ada, on: "trials")
            try await database.owner.script("update held_score set why = '{above,judge}'")
            let due = Instant.noon.advanced(bySeconds: 300)
            #expect(try await store.admin.letOverdue(limitRows: 9, now: due).freed == 1)
            #expect(try await store.admin.heldScores(of: .defaultGame, after: nil, limitRows: 9, now: .noon).isEmpty)
            let queue = try await store.admin.queue(.held, limitRows: 9, withWords: false)
            #expect(queue.map(\.score) == [post.id] && queue.map(\.why) == ["above"])
            #expect(try await database.owner.ask("select count(*) from standing") == ["0"])
        }
    }

    @Test("a score of which an operator has decided waits for its game no more, also when it is held again")
    func decided() async throws {
        try await withTestDatabase { database in
            let store = database.store
            try await database.addBoard("trials") { $0.judgeMinutes = 5 }
            _ = try await store.admin.addKey(Self.key, name: .of("judge"), to: .defaultGame, now: .noon)
            let ada = try await database.addPlayer("Ada")
            let post = try await database.post(5, by: ada, on: "trials")
            func waiting() async throws -> [UUID] {
                try await store.admin.heldScores(of: .defaultGame, after: nil, limitRows: 9, now: .noon).map(\.item)
            }
            let item = try #require(try await waiting().first)
            try await database.moderate(.clear(ada, score: post.id))
            try await database.moderate(.hold(ada, score: post.id))
            #expect(try await waiting().isEmpty)
            let verdict = try await store.admin.judge(
                item, of: .defaultGame, .void, by: Self.key, marker: nil, now: .noon)
            #expect(verdict == .decided)
            let due = Instant.noon.advanced(bySeconds: 300)
            #expect(try await store.admin.letOverdue(limitRows: 9, now: due).freed == 0)
            #expect(try await store.admin.queue(.held, limitRows: 9, withWords: false).map(\.score) == [post.id])
        }
    }
}
