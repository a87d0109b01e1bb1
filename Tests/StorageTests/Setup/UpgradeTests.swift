import Domain
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

    /// Applies the migrations before one, which fails because what it makes is there.
    private static func migrate(
        _ owner: ConnectionSettings,
        until name: String,
        whichMakes relation: String
    ) async throws {
        try await owner.script("create table \(relation) (id int)")
        let state = await sqlState { _ = try await Migrator(owner, logger: .none).migrate(now: .noon) }
        #expect(state?.rawValue == "42P07")
        #expect(try await Migrator(owner, logger: .none).pending().first == name)
        try await owner.script("drop table \(relation)")
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
}
