import Domain
import Postgres
import TestDatabases
import Testing

@testable import Storage

/// Rules that the schema holds, whatever a statement or an administrator tries.
@Suite struct HeldRuleTests {
    @Test(
        "no wallet gives more than it earned, and boards of giving add up and show the highest first",
        arguments: [
            ("update wallet set given = earned + 1", "wallet_books_check"),
            ("update wallet set given = -1", "wallet_books_check"),
            ("update wallet set earned = 9007199254740992", "wallet_books_check"),
            ("update wallet set voided = earned, held = 1", "wallet_books_check"),
            ("update wallet set held = -1", "wallet_books_check"),
            ("update board set policy = 'best' where kind = 'giving'", "board_giving_check"),
            ("update board set lowest_first = true where kind = 'giving'", "board_giving_check"),
            ("update board set policy = 'latest' where kind = 'charity'", "board_giving_check"),
            ("update board set zone = 'Europe/Berlin' where slug = 'overall'", "board_zone_check"),
        ]
    )
    func held(statement: String, constraint: String) async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            _ = try await database.addPlayer("Ada", points: 30)
            let state = await sqlState { try await database.owner.script(statement) }
            #expect(state?.rawValue == "23514")
            #expect(
                try await database.owner.ask(
                    "select convalidated from pg_constraint where conname = '\(constraint)'"
                ) == ["true"]
            )
        }
    }

    @Test("a donation that a server of before inserts, without its day and its charity's total, is refused")
    func olderServer() async throws {
        try await withTestDatabase { database in
            let state = await sqlState {
                try await database.server.script(
                    """
                    insert into donation
                      (player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at)
                    values (1, gen_random_uuid(), 1, 5, false, false, now(), now())
                    """
                )
            }
            #expect(state?.rawValue == "23514")
        }
    }

    @Test("all that was earned may be given, and voided afterwards") func allOfIt() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada", points: 30)
            #expect(try await database.give(30, by: ada, to: "trees").outcome == .recorded)
            #expect(try await database.give(1, by: ada, to: "trees").outcome == .overspent)
            try await database.owner.script("update wallet set voided = 30")
            #expect(try await database.owner.ask("select unspent(w) from wallet w") == ["-30"])
        }
    }
}
