import Domain
import Foundation
import Postgres
import TestDatabases
import TestDice
import Testing

@testable import Storage

/// Rows that stand among the past ones are the ledger's as they were.
@Suite struct PastLedgerTests {
    private static let future = Instant.at("2027-06-01T00:00:00Z")

    /// Moves all rows of all players from before a time.
    private static func move(_ database: TestDatabase, before: Instant = future) async throws {
        let sweeper = Sweeper(
            store: database.store, sweepDays: nil, savesDays: nil, pastDays: 30, pause: .milliseconds(1),
            counts: SweepCounts())
        _ = try await sweeper.pass(now: before.advanced(bySeconds: 30 * 86_400))
    }

    private static func rows(_ database: TestDatabase) async throws -> [String] {
        try await database.owner.ask(
            """
            select concat_ws(' ', (select count(*) from only score), (select count(*) from past_score),
                             (select count(*) from only donation), (select count(*) from past_donation))
            """)
    }

    @Test(
        "whatever the history, and whenever rows are moved, receipts, repeats, rankings and the audit are as before",
        arguments: Dice.slowSeeds(31, 32)) func random(seed: UInt64) async throws
    {
        try await withTestDatabase { database in
            var history = try await History(database, seed: seed, playersCount: 20)
            for turn in 0..<40 {
                if history.percent(65) {
                    let batch = try history.scores()
                    for (score, receipt) in zip(batch, try await database.store.record(batch, now: .noon)) {
                        let expected = history.model.judge(score)
                        #expect(receipt.outcome == expected.outcome && receipt.id == expected.id, "\(score)")
                        #expect(receipt.earned == expected.earned && receipt.best == expected.best, "\(score)")
                        #expect(receipt.balance == expected.balance, "\(score)")
                    }
                } else {
                    let batch = try history.donations()
                    for (donation, receipt) in zip(batch, try await database.store.donate(batch, now: .noon)) {
                        let expected = history.model.judge(donation)
                        #expect(receipt.outcome == expected.outcome && receipt.id == expected.id, "\(donation)")
                        #expect(receipt.balance == expected.balance, "\(donation)")
                    }
                }
                // Some of them only, and in the end all.
                if turn % 5 == 4 { try await Self.move(database, before: turn == 39 ? Self.future : history.now()) }
            }
            let counts = try #require(try await Self.rows(database).first).split(separator: " ").compactMap { Int($0) }
            #expect(counts.count == 4 && counts[0] == 0 && counts[2] == 0)
            #expect(counts[1] == history.model.scores.count && counts[3] == history.model.donations.count)
            #expect(counts.reduce(0, +) > 100)
            #expect(try await database.auditComplaints() == [])
            let now = history.now()
            try await database.compareBoards(history.model, now: now)
            try await database.compareDonations(history.model, now: now)
        }
    }

    @Test("writers and those who move rows at once leave books that balance, and no row twice") func concurrent()
        async throws
    {
        try await withTestDatabase { database in
            let first = try await History(database, seed: 33, playersCount: 10)
            let recorded = try await withThrowingTaskGroup(of: Int.self) { writers in
                for writer in 0..<4 {
                    writers.addTask {
                        var history = first.with(seed: UInt64(200 + writer))
                        var recorded = 0
                        for _ in 0..<15 {
                            if history.percent(60) {
                                recorded += try await database.store.record(history.scores(), now: .noon).count {
                                    $0.outcome == .recorded
                                }
                            } else {
                                recorded += try await database.store.donate(history.donations(), now: .noon).count {
                                    $0.outcome == .recorded
                                }
                            }
                        }
                        return recorded
                    }
                }
                for _ in 0..<2 {
                    writers.addTask {
                        for _ in 0..<10 {
                            _ = try await database.store.movePast(of: first.players[...], before: Self.future)
                        }
                        return 0
                    }
                }
                return try await writers.reduce(0, +)
            }
            #expect(
                try await database.owner.ask("select (select count(*) from score) + (select count(*) from donation)")
                    == ["\(recorded)"])
            let twice = """
                select count(*) from (select player_id, id from score group by player_id, id having count(*) > 1) t
                """
            #expect(try await database.owner.ask(twice) == ["0"])
            try await Self.move(database)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a row that is moved keeps each of its columns, also those of a later migration") func columns() async throws
    {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada", points: 50)
            try await database.post(7, by: ada, on: "purse", playedAt: .noon)
            try await database.owner.script("delete from only score where played_at is null")
            try await database.donate(3, by: ada, to: "trees", isAnonymous: true)
            let rows = """
                select to_jsonb(s)::text from score s union all select to_jsonb(d)::text from donation d order by 1
                """
            let before = try await database.owner.ask(rows)
            #expect(before.count == 2 && before.allSatisfy { !$0.contains(": null") }, "each column is put to the test")
            try await Self.move(database)
            #expect(try await Self.rows(database) == ["0 1 0 1"])
            #expect(try await database.owner.ask(rows) == before)
        }
    }

    @Test("what is done to a row among the past ones is done: histories, receipts, actions, erasure, closed days")
    func used() async throws {
        try await withTestDatabase { database in
            let store = database.store
            try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada", points: 50)
            var posts: [UUID] = []
            for number in 0..<5 {
                let id = UUID()
                let at = Instant.noon.advanced(bySeconds: Int64(number) + 1)
                try await database.post(Int64(number) + 1, by: ada, on: "purse", id: id, at: at)
                posts.append(id)
            }
            let donation = UUID()
            try await database.donate(20, by: ada, to: "trees", id: donation)
            try await Self.move(database, before: Instant.noon.advanced(bySeconds: 86_400))
            let late = Instant.noon.advanced(bySeconds: 2 * 86_400)
            let new = UUID()
            try await database.post(9, by: ada, on: "purse", id: new, at: late)
            #expect(try await Self.rows(database) == ["1 6 0 1"])

            let all = try await store.admin.ledger(of: ada, before: nil, limitRows: 100, withAnonymous: true)
            #expect(all.count == 8 && all.first?.id == new)
            #expect(all.map(\.reachedAt) == all.map(\.reachedAt).sorted { $1 < $0 })
            let again = try await database.post(2, by: ada, on: "purse", id: posts[1], at: late)
            #expect(again.outcome == .retry && again.id == posts[1])
            #expect(try await database.post(3, by: ada, on: "purse", id: posts[1], at: late).outcome == .conflict)
            #expect(try await database.donate(20, by: ada, to: "trees", id: donation, at: late).outcome == .retry)

            let after = late.advanced(bySeconds: 86_400)
            #expect(try await store.closeBooks(now: after) == 3)
            let reason = try ModerationReason("because")
            for kind in [
                ModerationKind.void(ada, score: posts[4]), .correct(ada, score: posts[0], points: 5, earned: 3),
                .anonymise(ada, donation: donation), .reverse(ada, donation: donation, forfeits: false),
            ] {
                let outcome = try await store.admin.perform(
                    ModerationAction(kind, id: UUID(), reason: reason), by: "cli", now: after)
                guard case .done = outcome else { throw TestDatabaseError("\(kind): \(outcome)") }
                #expect(try await database.auditComplaints() == [], "\(kind)")
            }
            #expect(try await database.owner.ask("select anonymised from past_donation") == ["true"])
            let outcome = try await store.admin.perform(
                ModerationAction(.erase(ada, confirming: "Ada"), id: UUID(), reason: reason), by: "cli", now: after)
            guard case .done = outcome else { throw TestDatabaseError("\(outcome)") }
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("the server's role moves rows by the functions alone: it deletes and changes none") func rights() async throws
    {
        try await withTestDatabase { database in
            _ = try await database.addPlayer("Ada", points: 50)
            for sql in [
                "delete from score", "delete from past_score", "update past_score set points = 1",
                "insert into past_score select * from score", "truncate past_donation",
                "update past_donation set points = 1",
            ] {
                let error = await #expect(throws: PostgresError.self) { try await database.server.script(sql) }
                #expect(error?.state.rawValue == "42501", "\(sql)")
            }
            try await Self.move(database)
            #expect(try await Self.rows(database) == ["0 1 0 0"])
        }
    }
}
