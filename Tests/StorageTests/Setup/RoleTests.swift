import Domain
import Foundation
import Logging
import Postgres
import Statements
import TestDatabases
import Testing

@testable import Storage

@Suite struct RoleTests {
    @Test(
        "the server cannot change, delete or truncate a ledger's row, nor the schema",
        arguments: [
            "update score set points = 1", "delete from score", "truncate score", "update donation set points = 1",
            "delete from donation", "truncate donation", "delete from board",
            "update installation set installed_at = now()", "drop table score", "delete from game_key",
            "truncate game_key", "alter table score add extra int", "create table extra (id int)",
            "insert into migration values (99, 'x', '', now())",
        ]) func refused(statement: String) async throws
    {
        try await withTestDatabase { database in
            let state = await sqlState { try await database.server.script(statement) }
            #expect(state == .insufficientPrivilege)
        }
    }

    @Test("the server can append to both ledgers, whether it logs in itself or the owner works as it") func appends()
        async throws
    {
        try await withTestDatabase { database in
            var asOwner = database.owner
            asOwner.session = SessionPresets.general
            for (player, settings) in [(1, database.server), (2, asOwner)] {
                try await settings.script(
                    """
                    insert into score
                    values (\(player), gen_random_uuid(), 1, 5, 5, false, null, now(), now(), false, current_date);
                    insert into donation
                    values (\(player), gen_random_uuid(), 1, 5, false, false, now(), now(), current_date);
                    """)
            }
            #expect(
                try await database.owner.ask(
                    "select count(*) from score natural join (select player_id from donation) d") == ["2"])
        }
    }

    @Test("the store works as the server's role and says so; the owner's session would not be held to it")
    func roleCheck() async throws {
        try await withTestDatabase { database async throws in
            #expect(try await database.store.serverRole() == ("causeboard_server", false))
            let pool = Pool(database.owner, limits: PoolLimits(connectionsMax: 1), logger: .none)
            #expect(
                try await Store(general: pool, ledger: pool, logger: .none).serverRole() == ("causeboard_owner", true))
        }
    }

    @Test("the stream's role may replicate and read nothing") func stream() async throws {
        try await withTestDatabase { database async throws in
            #expect(
                try await database.owner.ask(
                    """
                    select rolreplication and rolcanlogin and not rolsuper from pg_roles
                     where rolname = 'causeboard_stream'
                    """) == ["true"])
            let tables = "from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'"
            #expect(try await database.owner.ask("select count(*) > 12 \(tables)") == ["true"])
            let rights = ["select", "insert", "update", "delete", "truncate"].map {
                "has_table_privilege('causeboard_stream', oid, '\($0)')"
            }
            #expect(
                try await database.owner.ask("select relname \(tables) and (\(rights.joined(separator: " or ")))") == []
            )
        }
    }

    @Test("the publication shows what ranks, and neither a player's e-mail and wishes nor a device's token")
    func publication() async throws {
        try await withTestDatabase { database async throws in
            #expect(
                try await database.owner.ask(
                    """
                    select tablename || ' ' || array_to_string(attnames, ' ') from pg_publication_tables
                     where pubname = 'causeboard'
                       and tablename not in ('board', 'charity', 'standing', 'tally')
                     order by 1
                    """) == [
                        "award id", "campaign id", "device hash", "donation_state player_id id", "game id",
                        "game_key id", "held_score player_id id", "member player_id first_day last_day team_id",
                        "merge player_id survivor_id", "milestone campaign_id points",
                        "player id name avatar hidden flag", "score_state player_id id",
                        "team id name closed_at hidden", "tie player_id other_id",
                    ])
            #expect(
                try await database.owner.ask(
                    "select tablename from pg_publication_tables where pubname = 'causeboard' order by 1") == [
                        "award", "board", "campaign", "charity", "device", "donation_state", "game", "game_key",
                        "held_score", "member", "merge", "milestone", "player", "score_state", "standing", "tally",
                        "team", "tie",
                    ])
            #expect(try await database.owner.ask("select relreplident from pg_class where relname = 'tally'") == ["f"])
        }
    }
}

/// The SQLSTATE that `body` fails with; nil when it does not fail.
func sqlState(_ body: () async throws -> Void) async -> SQLState? {
    do {
        try await body()
        return nil
    } catch { return (error as? PostgresError)?.state }
}
