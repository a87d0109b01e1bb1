import Domain
import Foundation
import Postgres
import Statements
import TestDatabases
import Testing

@testable import Storage

@Suite struct SweepTests {
    private static let days = 30
    private static let later = Instant.noon.advanced(bySeconds: Int64(days + 1) * 86_400)

    private static func sweeper(_ store: Store, counts: SweepCounts = SweepCounts()) -> Sweeper {
        Sweeper(store: store, sweepDays: days, savesDays: days, pastDays: nil, pause: .milliseconds(1), counts: counts)
    }

    private static func hash(_ number: UInt8) throws -> AvatarHash {
        try #require(AvatarHash(bytes: Array(repeating: number, count: 32)))
    }

    private static func register(_ name: String, picture: UInt8, at now: Instant, _ database: TestDatabase) async throws
    {
        let avatar = Avatar(hash: try hash(picture), png: [picture])
        let registration = Registration(name: try PlayerName(name, field: "name"), source: "test", avatar: .set(avatar))
        let device = try database.device(of: name)
        let outcome = try await database.store.register(registration, device: device, in: .defaultGame, now: now)
        switch outcome {
        case .registered, .known: return
        default: throw TestDatabaseError("\(name): \(outcome)")
        }
    }

    private static func pictures(_ database: TestDatabase) async throws -> [String] {
        try await database.owner.ask("select get_byte(sha256, 0) from avatar order by sha256")
    }

    @Test("pictures that nobody has go after a while, in any number, and those that somebody has stay") func pictures()
        async throws
    {
        try await withTestDatabase { database in
            try await Self.register("Ada", picture: 1, at: .noon, database)
            try await Self.register("Ada", picture: 2, at: .noon, database)
            try await Self.register("Bob", picture: 3, at: .noon, database)
            try await Self.register("Bob", picture: 4, at: Self.later, database)
            try await Self.register("Bob", picture: 5, at: Self.later, database)
            // More than two batches of them, of which every other one is somebody's.
            try await database.owner.script(
                """
                insert into avatar (sha256, png, added_at)
                select sha256(n::text::bytea), '', '2026-11-20T12:00:00Z' from generate_series(1, 1200) n;
                insert into player (id, game_id, name, avatar, registered_at)
                select 5000 + n, 1, 'P' || n, sha256(n::text::bytea), now() from generate_series(2, 1200, 2) n;
                """)
            let sweeper = Self.sweeper(database.store)
            #expect(try await sweeper.pass(now: Self.later.advanced(bySeconds: -2 * 86_400)) == [:])
            #expect(try await sweeper.pass(now: Self.later) == [.pictures: 602])
            #expect(try await database.owner.ask("select count(*) from avatar") == ["603"])
            #expect(
                try await database.owner.ask(
                    """
                    select count(*) from player p
                     where p.avatar is not null and p.avatar not in (select sha256 from avatar)
                    """) == ["0"])
            #expect(Set(try await Self.pictures(database)).isSuperset(of: ["2", "4", "5"]))
            #expect(try await sweeper.pass(now: Self.later) == [:])
        }
    }

    @Test("a picture that somebody is about to have while it is swept stays, or is there anew", arguments: 1...4)
    func race(round: Int) async throws {
        try await withTestDatabase { database in
            for picture in UInt8(1)...20 { try await Self.register("Ada", picture: picture, at: .noon, database) }
            try await Self.register("Ada", picture: 100, at: .noon, database)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for picture in UInt8(1)...20 {
                    tasks.addTask { try await Self.register("B\(picture)", picture: picture, at: Self.later, database) }
                }
                for _ in 0..<4 {
                    tasks.addTask {
                        var place: AvatarHash?
                        _ = try await database.store.sweepPictures(after: &place, before: Self.later)
                    }
                }
                try await tasks.waitForAll()
            }
            #expect(Set(try await Self.pictures(database)).isSuperset(of: (1...20).map { "\($0)" }))
        }
    }

    @Test("a registration that is under way is waited for, for a moment only, and its picture is not swept")
    func waits() async throws {
        try await withTestDatabase { database in
            try await Self.register("Ada", picture: 1, at: .noon, database)
            try await Self.register("Ada", picture: 2, at: .noon, database)
            let bob = try await database.addPlayer("Bob")
            let other = try await Connection.open(database.owner, logger: .none)
            defer { other.close() }
            let picture = String(repeating: "01", count: 32)
            try await other.script(
                "begin; update player set avatar = decode('\(picture)', 'hex') where id = \(bob.rawValue)")
            var place: AvatarHash?
            #expect(try await database.store.sweepPictures(after: &place, before: Self.later) == nil)
            try await other.script("commit")
            #expect(
                try await database.store.sweepPictures(after: &place, before: Self.later)
                    == SweptBatch(rows: 0, hasMore: false))
            #expect(try await Self.pictures(database) == ["1", "2"])
        }
    }

    @Test("codes that have run out, tokens of erased players and times that count no more go, and no others")
    func others() async throws {
        try await withTestDatabase { database in
            let over = try await database.addBoard("over")
            let closed = try await database.addBoard("closed")
            try await database.owner.script(
                """
                insert into code (player_id, kind, hash, device, made_at, expires_at)
                select n, k.kind, sha256(n::text::bytea), sha256('d'), '2026-11-20T12:00:00Z', k.expires_at
                  from generate_series(1, 700) n
                 cross join (values ('join', '2026-11-20T12:10:00Z'::timestamptz), ('recovery', null))
                       k(kind, expires_at);
                insert into erased_token (token_hash, receipt, until)
                select sha256(n::text::bytea), gen_random_uuid(),
                       '2026-12-20T00:00:00Z'::timestamptz + n * interval '1 day'
                  from generate_series(1, 10) n;
                update board set closes_at = '2026-11-20T12:00:00Z' where id = \(closed.id.rawValue);
                update board set season_ended_at = '2026-11-20T12:00:00Z' where id = \(over.id.rawValue);
                insert into wallet (player_id, timed_boards, timed_at)
                select n, v.boards, v.times::timestamptz[]
                  from generate_series(1001, 2400) n
                  join (values (0, '{1,1}'::int[], '{2026-11-20T11:00:00Z,2026-11-20T11:00:01Z}'),
                               (1, '{1,1}', '{2026-11-20T11:00:00Z,2026-12-20T11:00:01Z}'),
                               (2, '{1,2,1}', '{2026-11-20T11:00:00Z,2026-11-20T11:00:01Z,2026-11-20T11:00:02Z}'),
                               (3, '{1,1}', '{2026-12-20T11:00:00Z,2026-12-20T11:00:01Z}'),
                               (4, '{\(over.id.rawValue)}', '{2026-11-20T11:00:00Z}'),
                               (5, '{\(closed.id.rawValue)}', '{2026-11-20T11:00:00Z}'),
                               (6, null, null)) v(kind, boards, times) on v.kind = n % 7;
                """)
            let counts = SweepCounts()
            let sweeper = Self.sweeper(database.store, counts: counts)
            let now = Instant.at("2026-12-21T12:00:00Z")
            #expect(try await sweeper.pass(now: now) == [.codes: 700, .erasedTokens: 1, .postTimes: 1000])
            #expect(counts.passes == 1 && counts.swept[.postTimes] == 1000)
            #expect(try await database.owner.ask("select distinct kind from code") == ["recovery"])
            #expect(try await database.owner.ask("select count(*) from erased_token") == ["9"])
            // The last one of each board stays, and nothing of a season that was over by then.
            #expect(
                try await database.owner.ask(
                    """
                    select concat_ws(' ', player_id % 7, timed_boards, timed_at[1] at time zone 'UTC', count(*))
                      from wallet where player_id between 1001 and 2400
                     group by player_id % 7, timed_boards, timed_at
                     order by player_id % 7
                    """) == [
                        "0 {1} 2026-11-20 11:00:01 200", "1 {1} 2026-12-20 11:00:01 200",
                        "2 {2,1} 2026-11-20 11:00:01 200", "3 {1,1} 2026-12-20 11:00:00 200", "4 200", "5 200", "6 200",
                    ])
            #expect(try await sweeper.pass(now: now) == [:])
        }
    }

    @Test("saves of inactive players are deleted, however many, and no others") func saves() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            let active = try await database.addPlayer("Active")
            // By the remainder of their ids modulo seven: 0 has done nothing since, 1 has saved, 2 to 5 were active in
            // other ways, and some of 6 are merged with an active player.
            try await database.owner.script(
                """
                insert into player (id, game_id, name, registered_at)
                select n, 1, 'P' || n, '2026-11-20T12:00:00Z' from generate_series(70001, 71400) n;
                insert into wallet (player_id) select n from generate_series(70001, 71400) n;
                insert into save (player_id, slot, revision, etag, body, saved_at)
                select n, 's' || k, 1, substr(sha256('x'), 1, 16), 'x', '2026-11-20T12:00:00Z'
                  from generate_series(70001, 71400) n cross join generate_series(1, 4) k;
                update save set saved_at = '2026-12-20T12:00:00Z' where player_id % 7 = 1 and slot = 's4';
                insert into device (hash, player_id, registered_at, seen_on)
                select sha256(n::text::bytea), n, '2026-11-20T12:00:00Z',
                       case when n % 7 = 2 then '2026-12-20'::date else '2026-11-20'::date end
                  from generate_series(70001, 71400) n where n % 7 <> 3;
                insert into device (hash, player_id, registered_at)
                select sha256(n::text::bytea), n, '2026-12-20T12:00:00Z'
                  from generate_series(70001, 71400) n where n % 7 = 3;
                insert into score (
                  player_id, id, board_id, points, earned, no_client_id, reached_at, recorded_at, improved, day)
                select n, gen_random_uuid(), 1, 5, 0, false,
                       case when n % 7 = 4 then '2026-12-20T12:00:00Z'::timestamptz else '2026-11-20T12:00:00Z' end,
                       now(), true, '2026-11-20'
                  from generate_series(70001, 71400) n where n % 7 in (0, 4);
                insert into donation (
                  player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at, day)
                select n, gen_random_uuid(), 1, 1, false, false, '2026-12-20T12:00:00Z', now(), '2026-12-20'
                  from generate_series(70001, 71400) n where n % 7 = 5;
                update device set seen_on = '2026-12-20' where player_id = \(active.rawValue);
                insert into merge (player_id, into_id, survivor_id, action, merged_at)
                select n, \(active.rawValue), \(active.rawValue), gen_random_uuid(), '2026-11-20T12:00:00Z'
                  from generate_series(70001, 71400) n where n % 7 = 6 and n < 70020;
                """)
            let merged = 2
            let sweeper = Self.sweeper(database.store)
            #expect(try await sweeper.pass(now: Self.later) == [.saves: (400 - merged) * 4])
            #expect(
                try await database.owner.ask(
                    """
                    select concat(player_id % 7, ' ', count(*)) from save group by player_id % 7 order by player_id % 7
                    """) == ["1 800", "2 800", "3 800", "4 800", "5 800", "6 \(merged * 4)"])
            #expect(try await sweeper.pass(now: Self.later) == [:])
        }
    }

    @Test("a player who is writing during a sweep keeps its saves until the next pass") func writing() async throws {
        try await withTestDatabase { database in
            let ada = try await database.addPlayer("Ada")
            try await database.owner.script(
                """
                insert into save (player_id, slot, revision, etag, body, saved_at)
                values (\(ada.rawValue), 'a', 1, substr(sha256('x'), 1, 16), 'x', '2026-11-20T12:00:00Z');
                update device set seen_on = '2026-11-20', registered_at = '2026-11-20T12:00:00Z'
                """)
            let other = try await Connection.open(database.owner, logger: .none)
            defer { other.close() }
            try await other.script("begin; select from wallet where player_id = \(ada.rawValue) for update")
            #expect(try await Self.sweeper(database.store).pass(now: Self.later) == [:])
            try await other.script("rollback")
            #expect(try await Self.sweeper(database.store).pass(now: Self.later) == [.saves: 1])
        }
    }

    @Test("while somebody sweeps, nobody else does") func one() async throws {
        try await withTestDatabase { database in
            let other = try await Connection.open(database.server, logger: .none)
            defer { other.close() }
            try await other.script("begin; \(SQL.sweepLock.description)")
            #expect(try await database.store.sweepCodes(before: .noon) == nil)
            try await other.script("rollback")
            #expect(try await database.store.sweepCodes(before: .noon) == SweptBatch(rows: 0, hasMore: false))
        }
    }

    @Test("no statement of a sweep reads a whole table, planned for its binds or for any") func plans() async throws {
        try await withTestDatabase { database in
            try await database.owner.script(Self.load)
            let (at, empty) = ("'2026-11-20T12:00:00Z'", #"'\x'"#)
            let plans: [(sql: StaticString, arguments: String)] = [
                (SQL.picturesIdle, "\(empty), \(at), 500"), (SQL.picturesIdle, "sha256('5'), \(at), 500"),
                (SQL.picturesSweep, "array[sha256('5'), sha256('6')], \(at)"), (SQL.codesSweep, "\(at), 500"),
                (SQL.erasedTokensSweep, "\(at), 500"), (SQL.timedPostsTrim, "500, \(at), 500"),
                (SQL.pastPlayers, "500, \(at), 500"), (SQL.savesIdle, "500, \(at), 500"),
                (SQL.savesSweep, "array[5, 500, 5000], \(at), 500"),
            ]
            for plan in plans {
                for mode in PlanMode.allCases {
                    let lines = try await database.plan(of: plan.sql, plan.arguments, in: SessionPresets.general, mode)
                    // There are only as many boards as operators make, and the past tables are empty here.
                    let small = ["Seq Scan on board b ", "Seq Scan on past_score ", "Seq Scan on past_donation "]
                    #expect(
                        !lines.contains { line in line.contains("Seq Scan") && !small.contains { line.contains($0) } },
                        "\(plan.sql.description.prefix(40)) \(mode)\n\(lines.joined(separator: "\n"))")
                    #expect(lines.count > 1)
                }
            }
            // What a function does is in no plan.
            let scans = "select seq_scan from pg_stat_xact_user_tables where relname in ('score', 'donation')"
            for name in ["past_scores_move", "past_donations_move"] {
                let before = "begin; do $do$ begin perform \(name)('{5,500,5000}', now(), 1000); end $do$;"
                #expect(try await database.owner.ask(scans, before: before) == ["0", "0"])
            }
            #expect(try await database.owner.ask("select count(*) from past_score") == ["0"], "it was rolled back")
        }
    }

    private static let load = """
        insert into avatar (sha256, png, added_at)
        select sha256(n::text::bytea), 'png', '2026-11-20T12:00:00Z' from generate_series(1, 20000) n;
        insert into player (id, game_id, name, avatar, registered_at)
        select n, 1, 'P' || n, case when n % 2 = 0 then sha256(n::text::bytea) end, now()
          from generate_series(1, 20000) n;
        insert into code (player_id, kind, hash, device, made_at, expires_at)
        select n, 'join', sha256(n::text::bytea), sha256('d'), '2026-11-20T12:00:00Z',
               '2026-11-01T12:00:00Z'::timestamptz + n * interval '1 hour' from generate_series(1, 20000) n;
        insert into erased_token (token_hash, receipt, until)
        select sha256(n::text::bytea), gen_random_uuid(), '2026-11-01T12:00:00Z'::timestamptz + n * interval '1 hour'
          from generate_series(1, 20000) n;
        insert into wallet (player_id, timed_boards, timed_at)
        select n, '{1,1}', '{2026-11-20T11:00:00Z,2026-11-20T11:00:01Z}' from generate_series(1, 20000) n;
        insert into score (
          player_id, id, board_id, points, earned, no_client_id, reached_at, recorded_at, improved, day)
        select 1 + n % 20000, gen_random_uuid(), 1, n, 0, false,
               '2026-11-01T12:00:00Z'::timestamptz + n * interval '1 min', now(), true, '2026-11-01'
          from generate_series(1, 40000) n;
        insert into donation (
          player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at, day)
        select player_id, id, 1, 1, false, false, reached_at, recorded_at, day from score;
        insert into merge (player_id, into_id, survivor_id, action, merged_at)
        select n, 1, 1, gen_random_uuid(), now() from generate_series(10001, 20000) n;
        insert into save (player_id, slot, revision, etag, body, saved_at)
        select n, 's' || k, 1, substr(sha256('x'), 1, 16), 'x', '2026-11-20T12:00:00Z'
          from generate_series(1, 20000) n cross join generate_series(1, 2) k;
        insert into device (hash, player_id, registered_at)
        select sha256(n::text::bytea), n, now() from generate_series(1, 20000) n;
        analyze;
        """
}
