import Postgres
import Statements
import TestDatabases
import Testing

@testable import Storage

@Suite struct PlayerPlanTests {
    @Test("no statement about one player, token or key reads a whole table, planned for its binds or for any")
    func noScans() async throws {
        try await withTestDatabase { database in
            for index in 0..<10 { try await database.addCharity("charity-\(index)") }
            try await database.owner.script(Self.load)
            let token = "sha256('t5')"
            let (id, at) = ("gen_random_uuid()", "'2026-11-20T12:00:00Z'")
            let plans: [(sql: StaticString, arguments: String, session: [String: String])] = [
                (SQL.playerDonationTotals, "5, true", SessionPresets.general),
                (SQL.playerDonationTotals, "5, false", SessionPresets.general),
                (SQL.playerBests, "5", SessionPresets.general), (SQL.ownProfile, "5, now()", SessionPresets.general),
                (SQL.playerProfile, "5, null, false", SessionPresets.general),
                (SQL.playerScores, "5, null, null, 51, now()", SessionPresets.general),
                (SQL.playerScores, "5, \(at), \(id), 51, now()", SessionPresets.general),
                (SQL.playerScoresNewer, "5, \(at), \(id), 51, now()", SessionPresets.general),
                (SQL.playerDonations, "5, null, null, 51", SessionPresets.general),
                (SQL.playerDonations, "5, \(at), \(id), 51", SessionPresets.general),
                (SQL.playerDonationsNewer, "5, \(at), \(id), 51", SessionPresets.general),
                (SQL.scoreReceipt, "5, \(id), 'default', 'high-scores', now()", SessionPresets.general),
                (SQL.donationReceipt, "5, \(id), 'charity-1', now()", SessionPresets.general),
                (SQL.callerFind, "\(token), null, null, null, 'default', now()", SessionPresets.general),
                (SQL.callerFind, "null, \(token), \(token), null, null, now()", SessionPresets.general),
                (SQL.callerFind, "null, \(token), null, 5, null, now()", SessionPresets.general),
                (SQL.keyGame, "\(token), now()", SessionPresets.general),
                (SQL.adminKeyFind, "\(token), now()", SessionPresets.general),
                (SQL.adminPlayer, "5, true", SessionPresets.general),
                (SQL.adminPlayer, "5, false", SessionPresets.general),
                (SQL.givenByName, "'{5,500}', null, null", SessionPresets.ledger),
                (SQL.givenByName, "'{5,500}', 7, \(at)", SessionPresets.general),
                (SQL.adminPlayers, "null, 'n5', null, null, null, 0, 51", SessionPresets.general),
                (SQL.adminPlayers, "'default', 'n5', null, null, null, 0, 51", SessionPresets.general),
                (SQL.adminPlayers, "null, null, 5, null, null, 0, 51", SessionPresets.general),
                (SQL.adminPlayers, "null, null, null, array[\(token)], null, 0, 51", SessionPresets.general),
                (SQL.adminPlayers, "null, null, null, null, 'a5@b.example', 0, 51", SessionPresets.general),
                (SQL.adminLedger, "5, null, null, 51, true", SessionPresets.general),
                (SQL.adminLedger, "5, \(at), \(id), 51, false", SessionPresets.general),
                (SQL.adminDonations, "'charity-1', null, null, null, 51", SessionPresets.general),
                (SQL.adminDonations, "'charity-1', \(at), \(id), null, 51", SessionPresets.general),
                (SQL.adminDonations, "'charity-1', \(at), null, -5, 51", SessionPresets.general),
                (SQL.keyUseNote, "\(token), current_date", SessionPresets.general),
                (SQL.deviceUseNote, "\(token), null, current_date", SessionPresets.ledger),
                (SQL.deviceUseNote, "null, \(token), current_date", SessionPresets.ledger),
                (SQL.deviceClaim, "\(token), '{7,8}', now(), true, \(token), null", SessionPresets.ledger),
                (SQL.deviceRelease, token, SessionPresets.ledger),
                (SQL.deviceOfToken, token, SessionPresets.general),
                (SQL.devicesOwn, token, SessionPresets.general),
                (SQL.codeFind, "\(token), \(token), now()", SessionPresets.ledger),
                (SQL.codeLogNote, "5, \(token), 7", SessionPresets.ledger),
                (SQL.codeMake, "\(token), 'join', \(token), now(), null, true", SessionPresets.ledger),
                (
                    SQL.deviceJoin,
                    "\(token), \(token), \(token), 5, 6, null, now(), current_date, 100, true, 3",
                    SessionPresets.ledger
                ),
                (SQL.deviceSeen, "\(token), \(token), null, current_date", SessionPresets.ledger),
                (SQL.deviceCut, "\(token), \(token), now()", SessionPresets.ledger),
                (SQL.tokenRotate, "\(token), \(token), current_date, now(), now()", SessionPresets.ledger),
                (SQL.exportPlayer, "5, now()", SessionPresets.general), (SQL.exportCodes, "5", SessionPresets.general),
                (SQL.exportScores, "5, \(at), \(id), 500, now()", SessionPresets.general),
                (SQL.exportDonations, "5, \(at), \(id), 500", SessionPresets.general),
                (SQL.exportReports, "5, \(at), 6, 500", SessionPresets.general),
                (SQL.savesOwn, "5", SessionPresets.general), (SQL.saveVersions, "5, 'a'", SessionPresets.general),
                (SQL.saveFind, "5, 'a', null", SessionPresets.general),
                (SQL.saveFind, "5, 'a', substring(\(token), 1, 16)", SessionPresets.general),
                (
                    SQL.savePut, "\(token), 'a', '', substring(\(token), 1, 16), null, now(), 16, 5, 4096, 1000",
                    SessionPresets.general
                ),
                (SQL.saveDelete, "\(token), 'a', substring(\(token), 1, 16)", SessionPresets.general),
                (SQL.savesExported, "5, null, null, null, 4", SessionPresets.general),
                (SQL.savesExported, "5, 5, 'a', 1, 4", SessionPresets.general),
                (SQL.ownVersions, "array[\(token), sha256('t6')], now(), 5", SessionPresets.general),
                (SQL.reportAdd, "5, 6, 'name', 'words', now(), 100, 7", SessionPresets.ledger),
                (
                    SQL.playerRegister,
                    """
                    \(token), 'default', 'n', 'n', null, null, null, 's', null, null, null, now(), true, null, 'token',
                    \(token), 'counted', true, null, 'n'
                    """,
                    SessionPresets.ledger
                ),
                (
                    SQL.playerRegister,
                    """
                    null, null, 'n', 'n', null, null, null, 's', null, null, null, now(), true, null, 'token',
                    \(token), 'counted', true, null, 'n'
                    """,
                    SessionPresets.ledger
                ),
            ]
            for plan in plans {
                for mode in PlanMode.allCases {
                    let lines = try await database.plan(of: plan.sql, plan.arguments, in: plan.session, mode)
                    #expect(Self.longReads(lines) == [], "\(plan.sql.description.prefix(40)) \(plan.arguments) \(mode)")
                    #expect(lines.count > 1)
                }
            }
        }
    }

    @Test(
        "no session compiles its statements, whatever the server does by default",
        arguments: [SessionPresets.general, SessionPresets.ledger]
    )
    func jit(session: [String: String]) async throws {
        try await withTestDatabase { database async throws in
            var settings = database.server
            settings.session = session
            #expect(
                try await settings.ask(
                    "select setting || ' ' || (source in ('client', 'session')) from pg_settings where name = 'jit'"
                )
                    == ["off true"]
            )
        }
    }

    /// The scans of a large table that no key narrows: of the table, of an index from end to end, or of an index by the
    /// board alone.
    private static func longReads(_ lines: [String]) -> [String] {
        lines.indices.filter { index in
            let (line, next) = (lines[index], index + 1 < lines.count ? lines[index + 1] : "")
            let words = line.split(separator: " ")
            // A bitmap index scan names the index, whose name begins with its table's name.
            let isBitmap = line.contains("Bitmap Index Scan")
            let isLarge = TestDatabase.largeTables.contains { table in
                words.contains(table) || (isBitmap && words.contains { $0.hasPrefix("\(table)_") })
            }
            guard line.contains("Scan "), isLarge, !line.contains("Bitmap Heap Scan") else { return false }
            let isByBoard = next.contains("board_id = ") && !next.contains("player_id")
            return !next.contains("Index Cond: ") || next.contains("IS NULL)") || isByBoard
        }.map { lines[$0] }
    }

    /// 20,000 players with a device, a token, a score and a donation each; 5,000 of them stand on each of the
    /// charities' boards.
    private static let load = """
        insert into player (id, game_id, name, registered_at)
        select n, 1, 'p' || n, now() from generate_series(1, 20000) n;
        insert into wallet (player_id, earned) select n, 10 from generate_series(1, 20000) n;
        insert into device (hash, player_id, token_hash, registered_at)
        select sha256(n::text::bytea), n, sha256(('t' || n)::bytea), now() from generate_series(1, 20000) n;
        insert into standing (board_id, player_id, points, reached_at, lowest_first)
        select c.board_id, n, n, now(), false from charity c, generate_series(1, 5000) n;
        insert into score (player_id, id, board_id, points, earned, improved, no_client_id, reached_at, recorded_at)
        select n, gen_random_uuid(), 1, n, 0, true, true, now(), now() from generate_series(1, 20000) n;
        insert into donation (player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at, day)
        select n, gen_random_uuid(), 1, 1, false, true, now(), now(), current_date from generate_series(1, 20000) n;
        insert into past_score (
          player_id, id, board_id, points, earned, improved, no_client_id, reached_at, recorded_at)
        select player_id, gen_random_uuid(), board_id, points, 0, true, true, reached_at - interval '99 days',
               recorded_at - interval '99 days' from only score;
        insert into past_donation (
          player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at, day)
        select player_id, gen_random_uuid(), charity_id, points, false, true, reached_at - interval '99 days',
               recorded_at - interval '99 days', day - 99 from only donation;
        analyze;
        """
}
