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
            ("update wallet set given = given - 1 where player_id = :ada", ["wallets against both ledgers"]),
            ("update wallet set voided = 1 where player_id = :ada", ["wallets against both ledgers"]),
            ("update wallet set held = 1 where player_id = :ada", ["wallets against both ledgers"]),
            (
                "update wallet set given = earned + 1 where player_id = :ada",
                ["wallets against both ledgers", "wallets that gave no more than they had"]
            ),
            ("delete from wallet where player_id = :ada", ["wallets against both ledgers"]),
            ("delete from wallet where player_id = :idle", ["wallets against both ledgers"]),
            ("update standing set points = points + 1 where board_id = :score", ["standings of score boards"]),
            (
                "update standing set reached_at = reached_at + interval '1 us' where board_id = :score",
                ["standings of score boards"]
            ),
            ("update standing set lowest_first = true where board_id = :score", ["standings of score boards"]),
            ("delete from standing where board_id = :score", ["standings of score boards"]),
            ("insert into standing values (:score, :idle, 5, now(), false)", ["standings of score boards"]),
            ("insert into standing values (4711, :ada, 5, now(), false)", ["standings of score boards"]),
            ("update tally set points = points + 1 where board_id = :score", ["daily tallies of score boards"]),
            (
                "update tally set reached_at = reached_at + interval '1 us' where board_id = :score",
                ["daily tallies of score boards"]
            ),
            ("update tally set day = day + 1 where board_id = :score", ["daily tallies of score boards"]),
            ("delete from tally where board_id = :score", ["daily tallies of score boards"]),
            ("insert into tally values (4711, '2026-11-20', :ada, 5, now())", ["daily tallies of score boards"]),
            ("update standing set points = points + 1 where board_id = :giving", ["standings of giving boards"]),
            (
                "update standing set reached_at = reached_at + interval '1 us' where board_id = :giving",
                ["standings of giving boards"]
            ),
            ("delete from standing where board_id = :overall", ["standings of giving boards"]),
            ("insert into standing values (:overall, :idle, 5, now(), false)", ["standings of giving boards"]),
            ("update tally set points = points + 1 where board_id = :overall", ["daily tallies of giving boards"]),
            ("update tally set day = day - 1 where board_id = :giving", ["daily tallies of giving boards"]),
            ("delete from tally where board_id = :giving", ["daily tallies of giving boards"]),
            (
                "delete from score where board_id = :score",
                ["wallets against both ledgers", "standings of score boards", "daily tallies of score boards"]
            ),
            ("update score set earned = earned + 1 where board_id = :score", ["wallets against both ledgers"]),
            (
                "update score set board_id = 4711 where board_id = :score",
                [
                    "ledger rows of a known board or charity", "standings of score boards",
                    "daily tallies of score boards",
                ]
            ),
            (
                "delete from donation",
                ["wallets against both ledgers", "standings of giving boards", "daily tallies of giving boards"]
            ),
            (
                "update donation set charity_id = 4711",
                [
                    "ledger rows of a known board or charity", "standings of giving boards",
                    "daily tallies of giving boards",
                ]
            ),
            (
                "insert into donation values (4711, gen_random_uuid(), 1, 3, false, false, now(), now())",
                ["wallets against both ledgers", "standings of giving boards", "daily tallies of giving boards"]
            ),
        ]
    )
    func tampering(statement: String, subjects: [String]) async throws {
        try await withTestDatabase { database in
            let giving = try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada", points: 30)
            let idle = try await database.addPlayer("Idle")
            try await database.give(10, by: ada, to: "trees")
            #expect(try await database.auditComplaints() == [])

            let purse = try #require(try await database.store.findBoard(.of("purse"), in: .defaultGame, now: .noon))
            let overall = try #require(try await database.store.findGivingBoard(.overall, now: .noon))
            let names: [(String, any CustomStringConvertible)] = [
                (":ada", ada.rawValue), (":idle", idle.rawValue), (":score", purse.id.rawValue),
                (":giving", giving.id.rawValue),
                (":overall", overall.id.rawValue),
            ]
            try await database.owner.script(
                names.reduce(statement) { $0.replacingOccurrences(of: $1.0, with: "\($1.1)") }
            )
            let findings = try await Auditor(database.store).findings().filter { $0.differing > 0 }
            #expect(findings.map(\.subject) == subjects)
            #expect(findings.allSatisfy { $0.differing <= 2 && $0.example?.isEmpty == false })
        }
    }
}
