import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

@Suite struct AuditTests {
    @Test(
        "the audit finds whatever is changed behind its back, and names the check",
        arguments: [
            ("update wallet set earned = earned + 1 where player_id = :ada", ["wallets against both ledgers"]),
            ("update wallet set donated = donated - 1 where player_id = :ada", ["wallets against both ledgers"]),
            ("update wallet set voided = 1 where player_id = :ada", ["wallets against both ledgers"]),
            ("update wallet set held = 1 where player_id = :ada", ["wallets against both ledgers"]),
            (
                "update wallet set voided = earned where player_id = :ada",
                ["wallets against both ledgers", "donations that are not funded"]
            ), ("delete from wallet where player_id = :ada", ["wallets against both ledgers"]),
            ("delete from wallet where player_id = :idle", ["wallets against both ledgers"]),
            ("update standing set points = points + 1 where board_id = :score", ["standings of score boards"]),
            (
                "update standing set reached_at = reached_at + interval '1 us' where board_id = :score",
                ["standings of score boards"]
            ), ("update standing set lowest_first = true where board_id = :score", ["standings of score boards"]),
            ("delete from standing where board_id = :score", ["standings of score boards"]),
            ("insert into standing values (:score, :idle, 5, now(), false)", ["standings of score boards"]),
            ("insert into standing values (4711, :ada, 5, now(), false)", ["standings of score boards"]),
            ("update tally set points = points + 1 where board_id = :score", ["daily tallies of score boards"]),
            (
                "update tally set reached_at = reached_at + interval '1 us' where board_id = :score",
                ["daily tallies of score boards"]
            ), ("update tally set day = day + 1 where board_id = :score", ["daily tallies of score boards"]),
            ("delete from tally where board_id = :score", ["daily tallies of score boards"]),
            ("insert into tally values (4711, '2026-11-20', :ada, 5, now())", ["daily tallies of score boards"]),
            ("update standing set points = points + 1 where board_id = :giving", ["standings of donation boards"]),
            (
                "update standing set reached_at = reached_at + interval '1 us' where board_id = :giving",
                ["standings of donation boards"]
            ), ("delete from standing where board_id = :overall", ["standings of donation boards"]),
            ("insert into standing values (:overall, :idle, 5, now(), false)", ["standings of donation boards"]),
            ("update tally set points = points + 1 where board_id = :overall", ["daily tallies of donation boards"]),
            ("update tally set day = day - 1 where board_id = :giving", ["daily tallies of donation boards"]),
            ("delete from tally where board_id = :giving", ["daily tallies of donation boards"]),
            (
                "delete from score where board_id = :score",
                ["wallets against both ledgers", "standings of score boards", "daily tallies of score boards"]
            ), ("update score set earned = earned + 1 where board_id = :score", ["wallets against both ledgers"]),
            (
                "update score set board_id = 4711 where board_id = :score",
                [
                    "ledger rows of a known player and place", "standings of score boards",
                    "daily tallies of score boards",
                ]
            ),
            (
                "delete from donation",
                [
                    "wallets against both ledgers", "standings of donation boards", "daily tallies of donation boards",
                    "totals of charities",
                ]
            ),
            (
                "update donation set charity_id = 4711",
                [
                    "ledger rows of a known player and place", "standings of donation boards",
                    "daily tallies of donation boards", "totals of charities",
                ]
            ),
            (
                "insert into donation values (4711, gen_random_uuid(), 1, 3, false, false, now(), now(), current_date)",
                ["ledger rows of a known player and place", "totals of charities"]
            ),
            (
                "insert into score_state select player_id, id, 'voided' from score",
                [
                    "what does not count, by the corrections", "standings of score boards",
                    "daily tallies of score boards",
                ]
            ),
            (
                "insert into donation_state select player_id, id, 3, false from donation",
                [
                    "what does not count, by the corrections", "donations that are not funded",
                    "standings of donation boards", "daily tallies of donation boards", "totals of charities",
                ]
            ),
            (
                "insert into correction select player_id, 1, 'void', id, 1, null, now() from score",
                ["wallets against both ledgers", "what does not count, by the corrections"]
            ), ("update charity_total set points = points + 1", ["totals of charities"]),
            ("update charity_total set contributors = contributors + 1", ["totals of charities"]),
            ("update charity_total set reached_at = reached_at + interval '1 us'", ["totals of charities"]),
            ("delete from charity_total", ["totals of charities"]),
            ("insert into charity_total values (4711, 0, 5, 1, now())", ["totals of charities"]),
        ]) func tampering(statement: String, subjects: [String]) async throws
    {
        try await withTestDatabase { database in
            let donationBoard = try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada", points: 30)
            let idle = try await database.addPlayer("Idle")
            try await database.donate(10, by: ada, to: "trees")
            #expect(try await database.auditComplaints() == [])

            let purse = try #require(try await database.store.findBoard(.of("purse"), in: .defaultGame, now: .noon))
            let overall = try #require(try await database.store.findDonationBoard(.overall, now: .noon))
            let names: [(String, any CustomStringConvertible)] = [
                (":ada", ada.rawValue), (":idle", idle.rawValue), (":score", purse.id.rawValue),
                (":giving", donationBoard.id.rawValue), (":overall", overall.id.rawValue),
            ]
            try await database.owner.script(
                names.reduce(statement) { $0.replacingOccurrences(of: $1.0, with: "\($1.1)") })
            let findings = try await Auditor(database.store).findings().filter { $0.differing > 0 }
            #expect(findings.map(\.subject) == subjects)
            #expect(findings.allSatisfy { $0.differing <= 2 && $0.example?.isEmpty == false })
        }
    }

    @Test("where midnight is today does not move what was counted: an edition of the time zones changes no finding")
    func zones() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("race") { $0.zone = "America/Havana" }
            try await database.addCharity("trees", zone: "Atlantic/Azores")
            let ada = try await database.addPlayer("Ada", points: 30)
            try await database.post(5, by: ada, on: "race")
            try await database.donate(10, by: ada, to: "trees")
            // To the rows it is the same whether a zone gets new rules or the board gets a new zone.
            try await database.owner.script("update board set zone = 'Pacific/Kiritimati' where zone <> 'UTC'")
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a score that is held says why, and a wallet that is added anew knows what is too new to be donated")
    func holds() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("trials") { $0.judgeMinutes = 5 }
            let ada = try await database.addPlayer("Ada")
            let held = try await database.post(5, by: ada, on: "trials")
            let state = "select w::text from wallet w order by 1"
            let before = try await database.owner.ask(state)
            try await database.owner.script("delete from held_score")
            let complaints = try await database.auditComplaints().map { $0.prefix { $0 != ":" } }
            #expect(complaints == ["what does not count, by the corrections"])
            _ = try await database.store.admin.repairRollups(by: "cli", now: .noon)
            try await database.owner.script("delete from wallet where player_id = \(ada.rawValue)")
            _ = try await database.store.admin.repairRollups(by: "cli", now: .noon)
            #expect(try await database.auditComplaints() == [])
            #expect(try await database.owner.ask(state) == before)
            let queue = try await database.store.admin.queue(.held, limitRows: 9, withWords: false)
            #expect(queue.map(\.score) == [held.id] && queue.map(\.why) == ["operator"])
        }
    }

    @Test("a repair makes everything derived anew, says what it changed, and touches neither ledgers nor log")
    func repair() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees") { $0.capInAll = .set(100) }
            let ada = try await database.addPlayer("Ada", points: 30)
            let bob = try await database.addPlayer("Bob", points: 20)
            try await database.donate(10, by: ada, to: "trees")
            try await database.donate(5, by: bob, to: "trees")
            let action = ModerationAction(
                .voidAll(bob, heldOnly: false), id: UUID(), reason: try ModerationReason("Bot"))
            _ = try await database.store.admin.perform(action, by: "cli", now: .noon)
            func state() async throws -> [String] {
                var rows: [String] = []
                for table in [
                    "wallet", "score_state", "donation_state", "standing", "tally", "best_posts", "charity_donated",
                ] { rows += try await database.owner.ask("select t::text from \(table) t order by 1") }
                return rows
            }
            let before = try await state()
            try await database.owner.script(
                """
                update wallet set earned = 31, donated = 11; delete from wallet where player_id = \(bob.rawValue);
                delete from score_state; insert into score_state values (\(ada.rawValue), gen_random_uuid(), 'held');
                update donation_state set unfunded = 4; update standing set points = points + 1;
                insert into standing values (1, 4711, 5, now(), false); delete from tally;
                insert into tally values (1, '2026-01-01', 4711, 5, now());
                update charity_total set points = 3; insert into charity_total values (4711, 3, 5, 1, now());
                update charity_donated set points = points + 1;
                insert into best_posts values (4711, 1, now(), array[gen_random_uuid()]);
                """)
            #expect(try await database.auditComplaints().contains { $0.contains("best posts of players") })
            let repaired = try await database.store.admin.repairRollups(by: "cli", now: .noon)
            #expect(
                repaired.map(\.table) == [
                    "wallet", "score_state", "donation_state", "standing", "tally", "best_posts", "charity_total",
                    "charity_donated",
                ])
            #expect(repaired.allSatisfy { $0.rows > 0 })
            #expect(try await database.auditComplaints() == [])
            #expect(try await state() == before)
            #expect(try await database.store.admin.log(before: nil, rows: 1).first?.entry.kind == "repair")
        }
    }
}
