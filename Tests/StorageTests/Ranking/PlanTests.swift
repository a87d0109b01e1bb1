import Domain
import Postgres
import Statements
import TestDatabases
import Testing

@testable import Storage

@Suite struct PlanTests {
    @Test("the ranking of charities reads their totals, and nothing of which there is a row for each contributor")
    func charities() async throws {
        try await withTestDatabase { database in
            for mode in PlanMode.allCases {
                let lines = try await database.plan(of: SQL.charitiesTop, "now()", in: SessionPresets.general, mode)
                #expect(lines.contains { $0.contains(" on charity_total") })
                let words = Set(lines.flatMap { $0.split(separator: " ") }.map(String.init))
                #expect(words.isDisjoint(with: PlanNode.largeTables), "\(lines.joined(separator: "\n"))")
            }
        }
    }

    @Test("what statements share is written into their plans and not called row by row") func inlined() async throws {
        try await withTestDatabase { database in
            let shared = ["unspent(", "window_standing(", "flagged_standing("]
            var mentions: Set<String> = []
            for (name, text) in SQL.all where !text.description.contains("copy (") {
                let text = text.description
                let mentioned = shared.filter(text.contains)
                guard !mentioned.isEmpty else { continue }
                mentions.formUnion(mentioned)
                let nulls = StatementContract.parameters(ofHeader: text).map { _ in "null" }
                let arguments = nulls.isEmpty ? "" : "(\(nulls.joined(separator: ", ")))"
                var settings = database.server
                settings.session = SessionPresets.ledger
                let lines = try await settings.ask(
                    "explain (verbose) execute q\(arguments)", before: "prepare q as \(text)")
                #expect(lines.count > 1)
                for call in shared { #expect(!lines.contains { $0.contains(call) }, "\(name) calls \(call)") }
            }
            #expect(mentions == Set(shared))
        }
    }

    @Test(
        "a batch reads no rows of others, also while tables are younger than their statistics",
        arguments: PlanMode.allCases) func youngTables(_ mode: PlanMode) async throws
    {
        try await withTestDatabase { database in
            let board = try await database.addBoard("large")
            try await database.addCharity("trees")
            try await database.owner.script(Self.load(board.id.rawValue))
            try await database.owner.script("update board set hold_rate = 5 where id = \(board.id.rawValue)")
            let players = "'{5,500,5000}'"
            let boards = Array(repeating: "\(board.id.rawValue)", count: 3).joined(separator: ",")
            let ids = "array[gen_random_uuid(), gen_random_uuid(), gen_random_uuid()]"
            let times = "array[now(), now(), now()]"
            let days = "array[current_date, current_date, current_date]"
            // What `load` gives the players: as many points as their ids, and milliseconds after noon.
            let reached =
                "array["
                + [5, 500, 5000].map { "'2026-11-20T12:00:00Z'::timestamptz + interval '\($0) ms'" }.joined(
                    separator: ", ") + "]"
            let plans: [(sql: StaticString, arguments: String)] = [
                (SQL.walletsLock, players),
                (SQL.scoresBefore, "'{default}', '{large}', \(players), '{1,1,1}', \(ids), \(times)"),
                (SQL.ownBefore, "\(players), '{\(boards)}', '{2026-01-01,2026-01-01,null}', now()"),
                (SQL.postsBefore, "\(players), '{\(boards)}', '{1,2,3}'"),
                (SQL.walletsTime, "\(players), '{1,2,3}', \(times), '{1,2,3}', '{1,2,3}', '{\(boards)}', \(times)"),
                (SQL.settlingBefore, "\(players), '{1,2,3}', now()"),
                (SQL.donationsBefore, "\(players), '{trees,trees,trees}', '{trees,trees,x}', \(ids), \(times)"),
                (
                    SQL.standingsPost,
                    "'{\(boards)}', \(players), '{6,501,5001}', \(times), '{f,f,f}', \(players), \(reached)"
                ), (SQL.walletsJudged, "\(players), '{1,2,3}', '{0,0,0}', '{0,0,0}', now()"),
                (SQL.talliesPost, "'{\(boards)}', \(days), \(players), '{1,2,3}', \(times), '{0,1,2}'"),
            ]
            for plan in plans {
                let lines = try await database.plan(
                    of: plan.sql, plan.arguments, in: SessionPresets.ledger, mode, isRun: true)
                #expect(
                    TestDatabase.rowsLeftOut(lines) < 100,
                    "\(plan.sql.description.prefix(40))\n\(lines.joined(separator: "\n"))")
            }
        }
    }

    @Test(
        "no session compiles its statements, whatever the server does by default",
        arguments: [SessionPresets.general, SessionPresets.ledger]) func jit(session: [String: String]) async throws
    {
        try await withTestDatabase { database async throws in
            var settings = database.server
            settings.session = session
            #expect(
                try await settings.ask(
                    "select setting || ' ' || (source in ('client', 'session')) from pg_settings where name = 'jit'")
                    == ["off true"])
        }
    }

    /// Loads 50,000 players on one board, with as many posts and days. Every thousandth player is hidden.
    private static func load(_ board: Int32) -> String {
        """
        insert into player (id, game_id, name, hidden, registered_at)
        select n, 1, 'p' || n, n % 1000 = 0, now() from generate_series(1, 50000) n;
        insert into wallet (player_id, earned) select n, 10 from generate_series(1, 50000) n;
        insert into device (hash, player_id, registered_at)
        select sha256(n::text::bytea), n, now() from generate_series(1, 50000) n;
        insert into standing (board_id, player_id, points, reached_at, lowest_first)
        select \(board), n, n % 9973, '2026-11-20T12:00:00Z'::timestamptz + n * interval '1 ms', false
          from generate_series(1, 50000) n;
        insert into tally (board_id, day, player_id, points, reached_at)
        select board_id, date '2026-11-20' - (player_id % 30)::int, player_id, points, reached_at from standing;
        insert into score (
          player_id, id, board_id, points, earned, improved, no_client_id, reached_at, recorded_at, day)
        select player_id, gen_random_uuid(), board_id, points, 0, true, true, reached_at, reached_at, reached_at::date
          from standing;
        insert into donation (player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at, day)
        select n, gen_random_uuid(), 1, 1, false, true, now(), now(), current_date from generate_series(1, 50000) n;
        insert into past_score (
          player_id, id, board_id, points, earned, improved, no_client_id, reached_at, recorded_at, day)
        select player_id, gen_random_uuid(), board_id, points, 0, true, true, reached_at - interval '99 days',
               recorded_at - interval '99 days', day - 99 from only score;
        insert into past_donation (
          player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at, day)
        select player_id, gen_random_uuid(), charity_id, points, false, true, reached_at - interval '99 days',
               recorded_at - interval '99 days', day - 99 from only donation;
        update wallet w
           set timed_boards = array[s.board_id], timed_at = array[s.reached_at]
          from (select board_id, player_id, reached_at from standing limit 1200) s
         where w.player_id = s.player_id;
        """
    }
}
