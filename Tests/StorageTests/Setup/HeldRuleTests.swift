import Domain
import Postgres
import TestDatabases
import Testing

@testable import Storage

/// Rules that the schema holds, whatever a statement or an administrator tries.
@Suite struct HeldRuleTests {
    @Test(
        "no wallet donates more than it earned, and boards of donations add up and show the highest first",
        arguments: [
            ("update wallet set donated = earned + 1", "wallet_books_check"),
            ("update wallet set donated = -1", "wallet_books_check"),
            ("update wallet set earned = 9007199254740992", "wallet_books_check"),
            ("update wallet set voided = earned, held = 1", "wallet_books_check"),
            ("update wallet set held = -1", "wallet_books_check"),
            ("update board set policy = 'best' where kind = 'donation'", "board_donation_check"),
            ("update board set lowest_first = true where kind = 'donation'", "board_donation_check"),
            ("update board set policy = 'latest' where kind = 'charity'", "board_donation_check"),
            ("update board set zone = 'Europe/Berlin' where slug = 'overall'", "board_zone_check"),
        ]) func held(statement: String, constraint: String) async throws
    {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            _ = try await database.addPlayer("Ada", points: 30)
            let state = await sqlState { try await database.owner.script(statement) }
            #expect(state?.rawValue == "23514")
            #expect(
                try await database.owner.ask("select convalidated from pg_constraint where conname = '\(constraint)'")
                    == ["true"])
        }
    }

    @Test(
        "each row of a ledger says its day, and each held score its game and until when its owner is not told",
        arguments: [
            "score (player_id, id, board_id, points, earned, no_client_id, reached_at, recorded_at, improved) "
                + "values (1, gen_random_uuid(), 1, 5, 5, false, now(), now(), false)",
            "donation (player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at) "
                + "values (1, gen_random_uuid(), 1, 5, false, false, now(), now())",
            "held_score (player_id, id, item, why, held_at, secret_until) "
                + "values (1, gen_random_uuid(), gen_random_uuid(), '{rate}', now(), now())",
            "held_score (player_id, id, item, why, held_at, game_id) "
                + "values (1, gen_random_uuid(), gen_random_uuid(), '{rate}', now(), 1)",
        ]) func complete(row: String) async throws
    {
        try await withTestDatabase { database in
            let state = await sqlState { try await database.server.script("insert into \(row)") }
            #expect(state?.rawValue == "23502")
        }
    }

    @Test("no table has a trigger: the statement that changes a row does what follows from it") func noTriggers()
        async throws
    {
        try await withTestDatabase { database async throws in
            let triggers = "select tgname from pg_trigger where not tgisinternal"
            #expect(try await database.owner.ask(triggers) == [])
        }
    }

    @Test("all that was earned may be donated, and voided afterwards") func allOfIt() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada", points: 30)
            #expect(try await database.donate(30, by: ada, to: "trees").outcome == .recorded)
            #expect(try await database.donate(1, by: ada, to: "trees").outcome == .overspent)
            try await database.owner.script("update wallet set voided = 30")
            #expect(try await database.owner.ask("select unspent(w) from wallet w") == ["-30"])
        }
    }
}
