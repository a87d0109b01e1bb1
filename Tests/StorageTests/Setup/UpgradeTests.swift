import Domain
import FoundationEssentials
import Postgres
import TestDatabases
import Testing

@testable import Storage

/// A database with the rows of an older server, and what the newest one makes of it.
@Suite struct UpgradeTests {
    @Test("rows without a client's id that an older server recorded stay in balance, and their retries are retries")
    func plainNames() async throws {
        try await withEmptyDatabase { owner, server in
            try await Self.migrate(owner, until: "plain_names", whichMakes: "ledger_standing")
            try await owner.script(Self.rows)
            #expect(try await Migrator(owner, logger: .none).migrate(now: .noon) > 0)

            try await withTestDatabase(owner: owner, server: server) { database in
                #expect(try await database.auditComplaints() == [])
                let ada = Player.ID(rawValue: 41)
                let later = Instant.noon.advanced(bySeconds: 30)
                let score = try await database.post(10, by: ada, on: "high-scores", id: nil, at: later)
                #expect(score.outcome == .retry && score.earned == 10)
                let gift = try await database.give(4, by: ada, to: "trees", id: nil, at: later)
                #expect(gift.outcome == .retry)
                // Those with an id of the client's are told apart from a row without one.
                let other = try await database.post(7, by: ada, on: "high-scores", id: nil, at: later)
                #expect(other.outcome == .recorded)
                let otherGift = try await database.give(2, by: ada, to: "trees", id: nil, at: later)
                #expect(otherGift.outcome == .recorded)
                #expect(try await database.auditComplaints() == [])
            }
        }
    }

    @Test("anonymous donations of before become rows of their own, and nothing is told that was not told before")
    func charityRules() async throws {
        try await withEmptyDatabase { owner, server in
            try await Self.migrate(owner, until: "charity_rules", whichMakes: "charity_given")
            try await owner.script(Self.anonymousRows)
            #expect(try await Migrator(owner, logger: .none).migrate(now: .noon) > 0)

            try await withTestDatabase(owner: owner, server: server) { database in
                #expect(try await database.auditComplaints() == [])
                // Each by its day in the charity's zone, Auckland, and of all contributors by its day in UTC; without
                // what was reversed, or is not funded.
                let rows = """
                    select concat_ws(' ', t.day, t.points, t.reached_at at time zone 'UTC', s.points)
                      from tally t
                      join board b on b.id = t.board_id
                      join standing s on s.board_id = t.board_id and s.player_id = t.player_id
                     where t.player_id < 0 and s.reached_at = t.reached_at and b.slug = 'BOARD'
                     order by t.reached_at, t.points
                    """
                func told(of board: String) async throws -> [String] {
                    try await database.owner.ask(rows.replacing("BOARD", with: board))
                }
                #expect(
                    try await told(of: "trees") == [
                        "2026-11-20 4 2026-11-19 11:00:00 4", "2026-11-21 4 2026-11-20 11:00:00 4",
                        "2026-11-21 5 2026-11-20 11:00:00 5", "2026-11-21 8 2026-11-20 11:00:00 8",
                    ]
                )
                #expect(
                    try await told(of: "overall") == [
                        "2026-11-20 4 2026-11-20 00:00:00 4", "2026-11-20 4 2026-11-20 00:00:00 4",
                        "2026-11-20 5 2026-11-20 00:00:00 5", "2026-11-20 8 2026-11-20 00:00:00 8",
                    ]
                )
                let ids = "select count(*)::text from donation where anonymous and row_id in (-41, -42)"
                #expect(try await database.owner.ask(ids) == ["0"])
                let total =
                    "select concat_ws(' ', points, contributors, reached_at at time zone 'UTC') from charity_total"
                #expect(try await database.owner.ask(total) == ["48 2 2026-11-20 09:00:00"])

                // They go on as they were: a retry is one, a reversal takes the row along, an undo brings it back.
                let ada = Player.ID(rawValue: 41)
                let id = try #require(UUID(uuidString: "00000000-0000-4000-8000-000000000005"))
                let again = try await database.give(5, by: ada, to: "trees", id: id, isAnonymous: true)
                #expect(again.outcome == .retry)
                let reverse = Act(.reverse(ada, donation: id, forfeits: false), id: UUID(), reason: .left)
                guard case .done = try await database.store.perform(reverse, by: "cli", now: .noon) else {
                    throw TestDatabaseError("it was not reversed")
                }
                #expect(try await told(of: "trees").count == 3)
                #expect(try await database.auditComplaints() == [])
                guard
                    case .done = try await database.store.perform(
                        Act(.undo(reverse.id), id: UUID(), reason: .left),
                        by: "cli",
                        now: .noon
                    )
                else { throw TestDatabaseError("it was not undone") }
                #expect(try await told(of: "trees").count == 4)
                #expect(try await database.auditComplaints() == [])
            }
        }
    }

    @Test("when players posted is in their wallets, also what a server of before notes that runs meanwhile")
    func timedPosts() async throws {
        try await withEmptyDatabase { owner, server in
            try await Self.migrate(
                owner,
                until: "timed_posts",
                failingBy: "create function post_time_copy() returns int language sql return 1",
                with: "42723",
                mendedBy: "drop function post_time_copy()"
            )
            try await owner.script(
                """
                insert into board (id, kind, slug, name, policy, points_min, added_at, season_ended_at)
                overriding system value
                select v.id, 'giving', 'board-' || v.id, 'Board', 'sum', 1, '2026-11-20T01:00:00Z', v.ended
                  from (values (7, null), (8, timestamptz '2026-11-20T12:30:00Z'), (9, null)) v(id, ended);
                insert into wallet (player_id) values (41), (42), (43);
                insert into post_times (board_id, player_id, posted_at)
                values (7, 41, '{2026-11-20T11:59:10Z,2026-11-20T12:00:00Z,2026-11-20T12:00:10Z}'),
                       (9, 41, '{2026-11-20T12:00:05Z}'), (8, 41, '{2026-11-20T12:00:06Z}'),
                       (7, 42, '{2026-11-20T12:00:00Z}');
                """
            )
            // Between the two migrations a post is in a wallet, and in the table from which the times are copied.
            try await Self.migrate(
                owner,
                until: "timed_posts_copy",
                failingBy: """
                    create function stops() returns event_trigger language plpgsql as $$
                    begin
                      if current_query() like '%validate constraint wallet_timed_check%' then
                        raise 'not yet' using errcode = 'P0002';
                      end if;
                    end $$;
                    create event trigger stops on ddl_command_end when tag in ('ALTER TABLE') execute function stops();
                    """,
                with: "P0002",
                mendedBy: "drop event trigger stops"
            )
            try await owner.script(
                """
                update post_times set posted_at = posted_at || timestamptz '2026-11-20T12:00:20Z'
                 where board_id = 7 and player_id = 42;
                """
            )
            #expect(try await Migrator(owner, logger: .none).migrate(now: .noon) > 0)
            let rows = """
                select concat_ws(' ', w.player_id, (
                         select string_agg(concat_ws(' ', r.board, to_char(r.at, 'MI:SS')), ' ' order by r.n)
                           from unnest(w.timed_boards, w.timed_at) with ordinality r(board, at, n)))
                  from wallet w order by w.player_id
                """
            #expect(try await owner.ask(rows) == ["41 7 00:00 9 00:05 7 00:10", "42 7 00:00 7 00:20", "43"])
            // A post to each of two boards, and one that another server has overtaken, by the statement of before.
            let posts = [(7, 41, "12:00:30"), (9, 41, "12:00:02"), (9, 43, "12:00:40"), (7, 41, "12:01:10")]
            for (board, player, time) in posts {
                try await owner.script(
                    """
                    insert into post_times as t (board_id, player_id, posted_at)
                    values (\(board), \(player), '{2026-11-20T\(time)Z}')
                    on conflict (board_id, player_id) do update set posted_at = t.posted_at || excluded.posted_at
                    """
                )
            }
            // A sweep tells of no post.
            try await owner.script("update post_times set posted_at = posted_at[cardinality(posted_at):]")
            #expect(
                try await owner.ask(rows)
                    == ["41 9 00:02 9 00:05 7 00:30 7 01:10", "42 7 00:00 7 00:20", "43 9 00:40"]
            )
        }
    }

    /// Applies the migrations before one, which fails because the table is there that it makes.
    private static func migrate(
        _ owner: ConnectionSettings,
        until name: String,
        whichMakes relation: String
    ) async throws {
        try await migrate(
            owner,
            until: name,
            failingBy: "create table \(relation) (id int)",
            with: "42P07",
            mendedBy: "drop table \(relation)"
        )
    }

    /// Applies the migrations before one, which a script makes fail, and another one not any more.
    private static func migrate(
        _ owner: ConnectionSettings,
        until name: String,
        failingBy script: String,
        with state: String,
        mendedBy mending: String
    ) async throws {
        try await owner.script(script)
        let found = await sqlState { _ = try await Migrator(owner, logger: .none).migrate(now: .noon) }
        #expect(found?.rawValue == state)
        #expect(try await Migrator(owner, logger: .none).pending().first == name)
        try await owner.script(mending)
    }

    /// A player with two scores and two donations, one of each without an id of the client's, as migration 11 has them.
    private static let rows = """
        insert into player (id, game_id, name, registered_at)
        select 41, id, 'Ada', '2026-11-20T11:00:00Z' from game where slug = 'default';
        insert into wallet (player_id, earned, given) values (41, 17, 6);
        insert into board (kind, slug, name, policy, points_min, added_at)
        values ('giving', 'trees', 'Trees', 'sum', 1, '2026-11-20T11:00:00Z');
        insert into charity (slug, name, name_folded, name_skeleton, board_id, added_at)
        select slug, name, slug, slug, id, added_at from board where slug = 'trees';

        insert into score
        select 41, gen_random_uuid(), b.id, v.points, v.points, v.lacks_id, null, v.at, v.at, v.lacks_id
          from board b, (values (10, true, timestamptz '2026-11-20T12:00:00Z'), (7, false, '2026-11-20T12:00:01Z'))
               v(points, lacks_id, at)
         where b.slug = 'high-scores';
        insert into donation
        select 41, gen_random_uuid(), c.id, v.points, false, v.lacks_id, v.at, v.at
          from charity c, (values (4, true, timestamptz '2026-11-20T12:00:02Z'), (2, false, '2026-11-20T12:00:03Z'))
               v(points, lacks_id, at);

        insert into standing (board_id, player_id, points, reached_at, lowest_first)
        select id, 41, case kind when 'score' then 10 else 6 end,
               case kind when 'score' then timestamptz '2026-11-20T12:00:00Z' else '2026-11-20T12:00:03Z' end, false
          from board where slug in ('high-scores', 'overall', 'trees');
        insert into tally (board_id, day, player_id, points, reached_at)
        select board_id, '2026-11-20', player_id, points, reached_at from standing;
        """

    /// Two players with named and anonymous donations, as migration 27 has them: what a player gave anonymously to a
    /// charity is one row under its negative id. Ada's first is of before days were kept, her third was reversed, and
    /// her last is funded in part, because a score was voided. Bea is hidden.
    private static let anonymousRows = """
        insert into player (id, game_id, name, registered_at, hidden)
        select v.id, g.id, v.name, '2026-11-20T01:00:00Z', v.hidden
          from game g, (values (41, 'Ada', false), (42, 'Bea', true)) v(id, name, hidden) where g.slug = 'default';
        insert into wallet (player_id, earned, voided, given) values (41, 40, 7, 35), (42, 15, 0, 15);
        insert into board (kind, slug, name, policy, points_min, zone, added_at)
        values ('giving', 'trees', 'Trees', 'sum', 1, 'Pacific/Auckland', '2026-11-20T01:00:00Z');
        insert into charity (slug, name, name_folded, name_skeleton, board_id, added_at)
        select slug, name, slug, slug, id, added_at from board where slug = 'trees';

        insert into score (player_id, id, board_id, points, earned, no_client_id, reached_at, recorded_at, improved,
                           day)
        select v.player, ('00000000-0000-4000-8000-00000000001' || v.n)::uuid, b.id, v.points, v.points, false, v.at,
               v.at, true, '2026-11-20'
          from board b,
               (values (0, 41, 33, timestamptz '2026-11-20T08:00:00Z'), (1, 41, 7, '2026-11-20T08:00:01Z'),
                       (2, 42, 15, '2026-11-20T08:00:02Z')) v(n, player, points, at)
         where b.slug = 'high-scores';
        insert into score_state values (41, '00000000-0000-4000-8000-000000000011', 'voided');

        alter table donation drop constraint donation_day_check;
        insert into donation (player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at, day)
        select v.player, ('00000000-0000-4000-8000-00000000000' || v.n)::uuid, c.id, v.points, v.anonymous, false, v.at,
               v.at, v.day
          from charity c,
               (values (1, 41, 20, false, timestamptz '2026-11-20T09:00:00Z', date '2026-11-20'),
                       (4, 41, 4, true, '2026-11-20T10:30:00Z', null),
                       (5, 41, 5, true, '2026-11-20T11:30:00Z', '2026-11-21'),
                       (3, 41, 3, true, '2026-11-20T11:40:00Z', '2026-11-21'),
                       (6, 41, 6, true, '2026-11-20T11:50:00Z', '2026-11-21'),
                       (7, 42, 7, false, '2026-11-20T08:59:00Z', '2026-11-20'),
                       (8, 42, 8, true, '2026-11-20T12:00:00Z', '2026-11-21'))
               v(n, player, points, anonymous, at, day);
        alter table donation add constraint donation_day_check check (day is not null) not valid;
        insert into donation_state values
          (41, '00000000-0000-4000-8000-000000000003', 0, true), (41, '00000000-0000-4000-8000-000000000006', 2, false);
        insert into correction (player_id, n, kind, subject, points, act, corrected_at)
        select 41, v.n, v.kind, ('00000000-0000-4000-8000-0000000000' || v.subject)::uuid, v.points, null,
               '2026-11-20T12:00:00Z'
          from (values (1, 'reverse', '03', 3), (2, 'void', '11', 7), (3, 'unfund', '06', 2))
               v(n, kind, subject, points);

        insert into standing (board_id, player_id, points, reached_at, lowest_first)
        select b.id, v.row, v.points, v.at, false
          from board b
          join (values ('high-scores', 41, 33, timestamptz '2026-11-20T08:00:00Z'),
                       ('high-scores', 42, 15, '2026-11-20T08:00:02Z'),
                       ('trees', 41, 20, '2026-11-20T09:00:00Z'), ('overall', 41, 20, '2026-11-20T09:00:00Z'),
                       ('trees', -41, 13, '2026-11-20T11:50:00Z'), ('overall', -41, 13, '2026-11-20T11:50:00Z'),
                       ('trees', 42, 7, '2026-11-20T08:59:00Z'), ('overall', 42, 7, '2026-11-20T08:59:00Z'),
                       ('trees', -42, 8, '2026-11-20T12:00:00Z'), ('overall', -42, 8, '2026-11-20T12:00:00Z'))
               v(board, row, points, at) on v.board = b.slug;
        insert into tally (board_id, day, player_id, points, reached_at)
        select s.board_id, '2026-11-20', s.player_id, s.points, s.reached_at
          from standing s join board b on b.id = s.board_id
         where s.player_id > 0 or b.slug <> 'trees';
        insert into tally (board_id, day, player_id, points, reached_at)
        select b.id, v.day, v.row, v.points, v.at
          from board b, (values (date '2026-11-20', -41, 4, timestamptz '2026-11-20T10:30:00Z'),
                                ('2026-11-21', -41, 9, '2026-11-20T11:50:00Z'),
                                ('2026-11-21', -42, 8, '2026-11-20T12:00:00Z')) v(day, row, points, at)
         where b.slug = 'trees';
        insert into charity_total (charity_id, part, points, contributors, reached_at)
        select id, 0, 48, 2, '2026-11-20T12:00:00Z' from charity;
        """
}
