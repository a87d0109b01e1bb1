import Domain
import Foundation
import Postgres
import Storage
import TestDatabases
import Testing

@Suite struct HoldTests {
    private static let settled = Instant.noon.advanced(bySeconds: 600)

    /// A board with a thousand posts of a hundred players, who have 100 to 10,000 points, that holds what is more than
    /// twice the 99th percentile.
    private static func measured(_ database: TestDatabase, _ settings: (inout NewBoard) -> Void = { _ in }) async throws
        -> Board
    {
        let board = try await database.addBoard("large") { board in
            board.holdAbove = HoldFactor("2")
            settings(&board)
        }
        try await database.owner.script(
            """
            insert into player (id, game_id, name, registered_at)
            select 1000 + n, (select id from game where slug = 'default'), 'P' || n, '2026-01-01'
              from generate_series(1, 100) n;
            insert into wallet (player_id) select 1000 + n from generate_series(1, 100) n;
            insert into score (
              player_id, id, board_id, points, earned, no_client_id, reached_at, recorded_at, improved, day)
            select 1000 + n, gen_random_uuid(), \(board.id.rawValue), n * 10 * m, 0, false, '2026-01-01T12:00:00Z',
                   '2026-01-01T12:00:00Z', true, '2026-01-01'
              from generate_series(1, 100) n cross join generate_series(1, 10) m;
            insert into standing (board_id, player_id, points, reached_at, lowest_first)
            select l.board_id, l.player_id, l.points, l.reached_at, l.lowest_first from ledger_standing l
             where l.board_id = \(board.id.rawValue);
            insert into tally (board_id, day, player_id, points, reached_at)
            select l.board_id, l.day, l.player_id, l.points, l.reached_at from ledger_tally l
             where l.board_id = \(board.id.rawValue);
            """)
        #expect(try await database.store.admin.measureBoards(before: .noon, now: .noon) == 1)
        return board
    }

    @Test("a post far above what nearly everybody has counts for its owner, and for nobody else") func above()
        async throws
    {
        try await withTestDatabase { database in
            let store = database.store
            let board = try await Self.measured(database)
            try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada", points: 5)
            // 99 of the 100 players have at most 9,900 points.
            let fine = try await database.post(19_800, by: ada, on: "large")
            #expect(fine.own == nil && fine.state == .counted)
            let held = try await database.post(19_801, by: ada, on: "large", at: Instant.noon.advanced(bySeconds: 1))
            #expect(held.outcome == .recorded && held.state == .counted && held.improved && held.best == 19_801)
            #expect(held.earned == 19_801 && held.balance == 5 + 19_800 + 19_801)
            #expect(try await store.top(of: board, days: nil, limitRows: 1).map(\.points) == [19_800])
            let queue = try await store.admin.queue(.held, limitRows: 5, withWords: false)
            #expect(queue.map(\.score) == [held.id] && queue.map(\.why) == ["above"])

            // What is told before its points settle is what would be told if it counted.
            let before = Instant.noon.advanced(bySeconds: 599)
            let own = try await store.ownProfile(of: ada, now: before).profile
            #expect(own.held == 0 && own.balance == 39_606 && own.settling == 39_601 && own.earned == 39_606)
            let receipt = try await store.findScore(held.id, of: ada, on: .of("large"), in: .defaultGame, now: before)
            #expect(receipt?.receipt.state == .counted && receipt?.receipt.best == 19_801)
            #expect(try await store.scores(of: ada, before: nil, limitRows: 1, now: before).first?.state == .counted)
            let repeated = try await database.post(19_801, by: ada, on: "large", id: held.id, at: before)
            #expect(repeated.outcome == .retry && repeated.state == .counted && repeated.best == 19_801)
            #expect(repeated.own == held.own && repeated.balance == 39_606)

            // Then it says that it is held.
            let after = Instant.noon.advanced(bySeconds: 602)
            let shown = try await store.ownProfile(of: ada, now: after).profile
            #expect(shown.held == 19_801 && shown.balance == 19_805 && shown.settling == 0)
            let review = try await store.findScore(held.id, of: ada, on: .of("large"), in: .defaultGame, now: after)
            #expect(review?.receipt.state == .held && review?.receipt.best == 19_801)
            #expect(try await database.donate(19_806, by: ada, to: "trees", at: after).outcome == .overspent)
            #expect(try await database.auditComplaints() == [])

            // Cleared, it ranks from its own instant.
            let item = try #require(queue.first?.item)
            let clear = try await database.moderate(.clearItem(item), at: after)
            let top = try await store.top(of: board, days: nil, limitRows: 1)
            #expect(top.map(\.points) == [19_801] && top.first?.reachedAt == Instant.noon.advanced(bySeconds: 1))
            #expect(try await database.donate(19_806, by: ada, to: "trees", at: after).outcome == .recorded)
            try await database.moderate(.undo(clear), at: after)
            #expect(try await store.top(of: board, days: nil, limitRows: 1).map(\.points) == [19_800])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("points settle for all alike: what is held is refused with the same words as what is not") func settling()
        async throws
    {
        try await withTestDatabase { database in
            _ = try await Self.measured(database)
            try await database.addCharity("trees")
            let honest = try await database.addPlayer("Honest", points: 5)
            let cheat = try await database.addPlayer("Cheat", points: 5)
            try await database.post(19_000, by: honest, on: "large")
            try await database.post(20_000, by: cheat, on: "large")
            for (player, earned) in [(honest, Int64(19_000)), (cheat, 20_000)] {
                func donate(_ points: Int64, after seconds: Int64) async throws -> DonationReceipt {
                    try await database.donate(
                        points, by: player, to: "trees", at: Instant.noon.advanced(bySeconds: seconds))
                }
                let most = earned + 5
                #expect(try await donate(most + 1, after: 599).outcome == .overspent)
                let settling = try await donate(6, after: 599)
                #expect(settling.outcome == .settling && settling.readyAt == Self.settled && settling.balance == most)
                let donated = try await donate(5, after: 599)
                #expect(donated.outcome == .recorded && donated.balance == earned)
            }
            #expect(try await database.donate(19_000, by: honest, to: "trees", at: Self.settled).outcome == .recorded)
            #expect(try await database.donate(1, by: cheat, to: "trees", at: Self.settled).outcome == .overspent)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a score that is voided while it is held is told to be so when its points would have settled") func voided()
        async throws
    {
        try await withTestDatabase { database in
            let store = database.store
            let board = try await Self.measured(database)
            let ada = try await database.addPlayer("Ada")
            let held = try await database.post(30_000, by: ada, on: "large")
            try await database.moderate(.voidAll(ada, heldOnly: true))
            let before = Instant.noon.advanced(bySeconds: 599)
            let own = try await store.ownProfile(of: ada, now: before).profile
            #expect(own.held == 0 && own.balance == 30_000 && own.settling == 30_000)
            let hidden = try await store.findScore(held.id, of: ada, on: .of("large"), in: .defaultGame, now: before)
            #expect(hidden?.receipt.state == .counted && hidden?.receipt.best == 30_000)
            #expect(try await store.findOwnPlace(of: ada, on: board.id, days: nil, now: before) == held.own)
            #expect(try await store.hasHeldScores(ada, now: before), "a secret one")
            let again = try await database.post(30_000, by: ada, on: "large", id: held.id, at: before)
            #expect(again.outcome == .retry && again.state == .counted && again.best == 30_000 && again.own == held.own)
            let shown = try await store.findScore(
                held.id, of: ada, on: .of("large"), in: .defaultGame, now: Self.settled)
            #expect(shown?.receipt.state == .voided && shown?.receipt.best == nil && shown?.receipt.balance == 0)
            #expect(try await store.findOwnPlace(of: ada, on: board.id, days: nil, now: Self.settled) == nil)
            #expect(try await !store.hasHeldScores(ada, now: Self.settled))
            // A score that was never held is told at once.
            let fine = try await database.post(7, by: ada, on: "large", at: before)
            try await database.moderate(.void(ada, score: fine.id), at: before)
            let voided = try await store.findScore(fine.id, of: ada, on: .of("large"), in: .defaultGame, now: before)
            #expect(voided?.receipt.state == .voided)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a rise is earned once, also when the post that earned it is held", arguments: Board.Policy.allCases)
    func improvement(policy: Board.Policy) async throws {
        try await withTestDatabase { database in
            try await database.addBoard("rise") { board in
                board.policy = policy
                board.earning = .improvement
                board.judgeMinutes = 5
            }
            let ada = try await database.addPlayer("Ada")
            #expect(try await database.post(100, by: ada, on: "rise").earned == 100)
            let second = try await database.post(100, by: ada, on: "rise", at: Instant.noon.advanced(bySeconds: 1))
            #expect(second.earned == 0)
            let third = try await database.post(130, by: ada, on: "rise", at: Instant.noon.advanced(bySeconds: 2))
            #expect(third.earned == 30 && third.balance == 130)
        }
    }

    @Test("posts that waited for a network are no burst, and posts that come as one are held") func pace() async throws
    {
        try await withTestDatabase { database in
            let store = database.store
            _ = try await Self.measured(database) { board in (board.holdRate, board.holdPace) = (3, 600) }
            let ada = try await database.addPlayer("Ada")
            let bot = try await database.addPlayer("Bot")
            let back = Instant.noon.advanced(bySeconds: 3_600)
            for minute in 0..<20 {
                // One game a minute without a network, and all posts at once when it is back.
                try await database.post(
                    500, by: ada, on: "large", playedAt: Instant.noon.advanced(bySeconds: Int64(minute) * 60),
                    at: back.advanced(bySeconds: Int64(minute) / 10))
            }
            #expect(try await store.admin.queue(.held, limitRows: 100, withWords: false).isEmpty)
            for second in 0..<6 {
                try await database.post(5, by: bot, on: "large", at: back.advanced(bySeconds: Int64(second)))
            }
            let rate = try await store.admin.queue(.held, limitRows: 100, withWords: false)
            #expect(rate.map(\.why) == ["rate", "rate", "rate"] && rate.allSatisfy { $0.player == bot })
            try await database.post(601, by: bot, on: "large", at: back.advanced(bySeconds: 65))
            let all = try await store.admin.queue(.held, limitRows: 100, withWords: false)
            #expect(all.map(\.why) == ["rate", "rate", "rate", "pace"])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("the times of players who became one count together, and apart again after they part") func mergedTimes()
        async throws
    {
        try await withTestDatabase { database in
            _ = try await Self.measured(database) { board in (board.holdRate, board.holdPace) = (2, 600) }
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            func whys() async throws -> [String] {
                try await database.store.admin.queue(.held, limitRows: 100, withWords: false).map(\.why)
            }
            func post(_ points: Int64, by player: Player.ID, after seconds: Int64) async throws {
                try await database.post(points, by: player, on: "large", at: Instant.noon.advanced(bySeconds: seconds))
            }
            try await post(5, by: ada, after: 0)
            try await post(5, by: bob, after: 1)
            let merge = try await database.moderate(.merge(ada, into: bob))
            try await post(5, by: bob, after: 59)
            #expect(try await whys() == ["rate"], "one of each within a minute")
            try await post(5, by: bob, after: 119)
            #expect(try await whys() == ["rate"])
            try await post(5, by: bob, after: 120)
            #expect(try await whys() == ["rate"])
            try await post(5, by: bob, after: 121)
            #expect(try await whys() == ["rate", "rate"], "the last two posts count, not the first ones")
            try await database.moderate(.undo(merge))
            try await post(1_000, by: ada, after: 120)
            #expect(try await whys() == ["rate", "rate"], "two minutes after the post of its own")
            try await post(1_000, by: bob, after: 182)
            #expect(try await whys() == ["rate", "rate", "pace"], "a minute after the one before")
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("the survivor of a merge has posted what the other one has, and not more often") func mergedFirst()
        async throws
    {
        try await withTestDatabase { database in
            _ = try await Self.measured(database) { $0.holdRate = 2 }
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            try await database.post(5, by: ada, on: "large")
            try await database.moderate(.merge(ada, into: bob))
            func held(after seconds: Int64) async throws -> Int {
                try await database.post(5, by: bob, on: "large", at: Instant.noon.advanced(bySeconds: seconds))
                return try await database.store.admin.queue(.held, limitRows: 9, withWords: false).count
            }
            #expect(try await held(after: 1) == 0, "the second post of two")
            #expect(try await held(after: 2) == 1)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a game's verdict counts once and in time; a rule that holds a score as well leaves it to the operator")
    func verdicts() async throws {
        try await withTestDatabase { database in
            let store = database.store
            let board = try await Self.measured(database) { $0.judgeMinutes = 5 }
            let key = TokenHash(bytes: Array(repeating: 9, count: 32))
            _ = try await store.admin.addKey(key, name: .of("judge"), to: .defaultGame, now: .noon)
            let ada = try await database.addPlayer("Ada")
            func item(of points: Int64, after seconds: Int64) async throws -> UUID {
                let posted = try await database.post(
                    points, by: ada, on: "large", at: Instant.noon.advanced(bySeconds: seconds))
                let waiting = try await store.admin.heldScores(of: .defaultGame, after: nil, limitRows: 100, now: .noon)
                return try #require(waiting.first { $0.score == posted.id }?.item)
            }
            func judge(_ item: UUID, _ verdict: Verdict, after seconds: Int64 = 9) async throws -> VerdictOutcome {
                let now = Instant.noon.advanced(bySeconds: seconds)
                return try await store.admin.judge(item, of: .defaultGame, verdict, by: key, marker: nil, now: now)
            }
            let (clear, void, late) = (
                try await item(of: 1, after: 0), try await item(of: 2, after: 1), try await item(of: 3, after: 2)
            )
            let high = try await item(of: 90_000, after: 3)
            #expect(try await judge(clear, .clear) == .done(.counted))
            #expect(try await judge(clear, .clear) == .repeated(.counted))
            #expect(try await judge(clear, .void) == .decided)
            #expect(try await judge(void, .void) == .done(.voided))
            #expect(try await judge(UUID(), .void) == .noItem)
            // The third one was posted two seconds after noon, and may be judged before its time ends.
            let due = Instant.noon.advanced(bySeconds: 302)
            let early = Instant(microsecondsSince1970: due.microsecondsSince1970 - 1)
            func waiting(_ now: Instant) async throws -> [UUID] {
                try await store.admin.heldScores(of: .defaultGame, after: nil, limitRows: 9, now: now).map(\.item)
            }
            #expect(try await waiting(early) == [late, high])
            #expect(try await waiting(due) == [high])
            #expect(try await judge(late, .void, after: 302) == .decided)
            #expect(try await store.admin.letOverdue(limitRows: 9, now: early).freed == 0)
            #expect(try await store.admin.letOverdue(limitRows: 9, now: due).freed == 1)
            #expect(try await judge(high, .clear) == .done(.held))
            let queue = try await store.admin.queue(.held, limitRows: 9, withWords: false)
            #expect(queue.map(\.item) == [high] && queue.map(\.why) == ["above"])
            #expect(
                try await store.rankPositions(of: [ada.rawValue], on: board.id, days: nil).map(\.standing.points) == [3]
            )
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("holds stay on their rows when players become one, and when they part again") func merges() async throws {
        try await withTestDatabase { database in
            let store = database.store
            let board = try await Self.measured(database)
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            let held = try await database.post(30_000, by: ada, on: "large")
            try await database.post(50, by: bob, on: "large")
            let merge = try await database.moderate(.merge(ada, into: bob))
            let place = try await store.findOwnPlace(of: bob, on: board.id, days: nil, now: .noon)
            #expect(place?.orderKey == -30_000)
            #expect(try await store.hasHeldScores(bob, now: .noon))
            #expect(try await store.top(of: board, days: nil, limitRows: 1).map(\.points) == [10_000])
            #expect(try await store.ownProfile(of: bob, now: Self.settled).profile.held == 30_000)
            #expect(try await database.auditComplaints() == [])
            try await database.moderate(.undo(merge))
            #expect(try await store.findOwnPlace(of: bob, on: board.id, days: nil, now: Self.settled) == nil)
            #expect(try await store.findOwnPlace(of: ada, on: board.id, days: nil, now: .noon) == held.own)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a season begins with the measure of the one before") func seasons() async throws {
        try await withTestDatabase { database in
            let store = database.store
            _ = try await Self.measured(database)
            #expect(try await store.resetBoard(.of("large"), in: .defaultGame, now: .noon) == 2)
            let ada = try await database.addPlayer("Ada")
            let later = Instant.noon.advanced(bySeconds: 120)
            #expect(try await store.admin.measureBoards(before: later, now: later) == 0)
            try await database.post(30_000, by: ada, on: "large", at: later)
            #expect(try await store.admin.queue(.held, limitRows: 9, withWords: false).map(\.player) == [ada])

            // It has a measure of its own from its hundredth player on.
            func add(_ players: ClosedRange<Int>) async throws {
                try await database.owner.script(
                    """
                    insert into standing (board_id, player_id, points, reached_at, lowest_first)
                    select b.id, 1000 + n, n, '2026-11-20T12:02:00Z', false
                      from board b cross join generate_series(\(players.lowerBound), \(players.upperBound)) n
                     where b.slug = 'large' and b.season_ended_at is null
                    """)
            }
            try await add(1...99)
            #expect(try await store.admin.measureBoards(before: later, now: later) == 0)
            try await add(100...100)
            #expect(try await store.admin.measureBoards(before: later, now: later) == 1)
            #expect(
                try await store.admin.measureBoards(before: later, now: later) == 1, "it was measured then, not since")
            let before = Instant(microsecondsSince1970: later.microsecondsSince1970 - 1)
            #expect(try await store.admin.measureBoards(before: before, now: later) == 0)
        }
    }

    @Test("no more than a thousand scores of a player are held at a time") func full() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("trials") { $0.judgeMinutes = 5 }
            try await database.addBoard("open")
            let ada = try await database.addPlayer("Ada")
            try await database.owner.script("update wallet set holds = 999 where player_id = \(ada.rawValue)")
            let (first, id) = (UUID(), UUID())
            #expect(try await database.post(1, by: ada, on: "trials", id: first).outcome == .recorded)
            let full = try await database.post(2, by: ada, on: "trials", id: id)
            #expect(full.outcome == .tooManyHeld && full.earned == 0 && full.best == 1)
            let open = try await database.post(3, by: ada, on: "open")
            #expect(open.outcome == .tooManyHeld, "the refusal does not tell what would be held")
            let known = try await database.post(1, by: ada, on: "trials", id: first)
            #expect(known.outcome == .retry, "what was recorded is told as ever")
            try await database.owner.script("update wallet set holds = 1 where player_id = \(ada.rawValue)")
            #expect(try await database.post(2, by: ada, on: "trials", id: id).outcome == .recorded, "nothing was kept")
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("rules that do not fit a board's order are refused") func settings() async throws {
        try await withTestDatabase { database in
            let store = database.store
            try await database.addBoard("high")
            func set(_ change: (inout BoardChange) throws -> Void) async throws -> AdminOutcome {
                var settings = BoardChange()
                try change(&settings)
                return try await store.admin.setBoard(.of("high"), in: .defaultGame, settings, at: nil, now: .noon)
                    .outcome
            }
            #expect(try await set { $0.holdAbove = .set(try #require(HoldFactor("0.5"))) } == .badHold)
            #expect(try await set { $0.lowestFirst = true } == .set)
            #expect(try await set { $0.holdPace = .set(5) } == .badHold)
            #expect(try await set { $0.holdAbove = .set(try #require(HoldFactor("0.5"))) } == .set)
            #expect(try await set { $0.lowestFirst = false } == .badHold)
            let listing = try #require(try await store.admin.findBoardListing(.of("high"), in: .defaultGame))
            #expect(listing.holdAbove == HoldFactor("0.5") && listing.holdRate == nil && listing.holdPace == nil)
            #expect(try await set { $0.holdAbove = .clear } == .set)
        }
    }
}
