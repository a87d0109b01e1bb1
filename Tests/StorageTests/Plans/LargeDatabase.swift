import Domain
import TestDatabases

/// A database of 200,000 players. It is made to be planned on, so its sums need not agree.
enum LargeDatabase {
    static let playersCount = 200_000

    /// Adds the boards `large` and `small` and ten charities, `charity-0` to `charity-9`.
    /// - Returns: The board `large`, on which all players stand.
    static func addBoards(to database: TestDatabase) async throws -> Int32 {
        try await database.addBoard("small")
        let board = try await database.addBoard("large")
        for index in 0..<10 { try await database.addCharity("charity-\(index)") }
        return board.id.rawValue
    }

    /// Fills every table that grows with the number of players, posts, donations or actions of operators.
    /// - Parameter board: The board `large`.
    static func fill(_ database: TestDatabase, board: Int32) async throws {
        try await database.owner.script(players)
        try await database.owner.script(ledgers(board))
        try await database.owner.script(actions)
        try await database.owner.script(challenges(board))
    }

    /// Everybody has a picture, an address of ten, and a device with a token; the last 2,000 were merged. Neighbours
    /// are friends, and many ask the fifth. One player in a hundred shows a flag.
    private static let players = """
        update game set flags = true;
        update board set country_best = 5 where kind = 'score';
        insert into player (id, game_id, name, avatar, email, hidden, registered_at, asked_name, asked_at,
                            wants_updates, updates_since, updates_source, flag, flag_at)
        select n, 1, 'p' || n, sha256(n::text::bytea), case when n % 10 = 0 then 'p' || n || '@example.org' end,
               n % 1000 = 0, timestamptz '2026-05-01Z' + n * interval '1 min', case when n % 2000 = 1 then 'q' end,
               case when n % 2000 = 1 then now() end, n % 50 = 0, case when n % 50 = 0 then now() end,
               case when n % 50 = 0 then 's' end,
               case n % 100 when 7 then (array['DE', 'DE-BE', 'FR', 'US-CA'])[1 + n / 100 % 4] end,
               case n % 100 when 7 then now() end
          from generate_series(1, \(playersCount)) n;
        insert into wallet (player_id, earned, donated, merged)
        select n, 1000, 1, n > 198000 from generate_series(1, \(playersCount)) n;
        insert into device (hash, player_id, token_hash, registered_at, seen_on)
        select sha256(n::text::bytea), n, sha256(('t' || n)::bytea), now(), current_date
          from generate_series(1, \(playersCount)) n;
        insert into merge (player_id, into_id, survivor_id, action, merged_at)
        select n, n - 198000, n - 198000, gen_random_uuid(), now() from generate_series(198001, \(playersCount)) n;
        insert into save (player_id, slot, revision, etag, body, saved_at)
        select n, 'a', 1, substring(sha256(n::text::bytea), 1, 16), 'b', now() from generate_series(1, 20000) n;
        insert into code (player_id, kind, hash, device, made_at, expires_at)
        select n, 'join', sha256(n::text::bytea), sha256(n::text::bytea), now(), now()
          from generate_series(1, 20000) n;
        insert into identity (hash, player_id, provider, linked_at, used_on)
        select sha256(('t' || n)::bytea), n, 'default', now(), current_date from generate_series(1, \(playersCount)) n;
        insert into tie (player_id, other_id, says, at)
        select n, n + 1, 'yes', now() from generate_series(1, \(playersCount - 1)) n
         union all
        select n + 1, n, 'yes', now() from generate_series(1, 100000) n
         union all
        select n, 5, 'yes', now() - n * interval '1 s' from generate_series(1000, 100000) n
         union all
        select 5, n, (array['yes', 'no', 'block'])[1 + n % 3], now() from generate_series(1000, 1400) n;
        insert into team (id, game_id, external, name, asked_name, asked_at, made_at)
        select n, 1, case when n % 2 = 0 then 't' || n end, 't' || n, case when n % 200 = 1 then 'q' end,
               case when n % 200 = 1 then now() end, now()
          from generate_series(1, 20000) n;
        insert into member (player_id, first_day, last_day, team_id, captain, since)
        select n, date '2026-05-01', date '2026-06-01', 1 + n % 20000, false, now()
          from generate_series(1, \(playersCount)) n
         union all
        select n, date '2026-06-02', null, 1 + n % 19999, n <= 19999, now()
          from generate_series(1, \(playersCount)) n where n % 3 > 0;
        insert into team_report (team_id, reporter_id, reported_at, dismissed_by)
        select 1 + n % 20000, n, now(), case when n % 10 > 0 then gen_random_uuid() end
          from generate_series(1, 40000) n;
        insert into plan (player_id, version, charity_ids, shares, every, keep, anonymous, since, until, next_day)
        select n, v, '{1,2}', '{60,40}', 'day', 0, false, now(), case v when 1 then now() end,
               date '2026-11-20' + n % 30
          from generate_series(1, \(playersCount)) n cross join generate_series(1, 2) v;
        insert into plan_run (player_id, version, day, points, ids, skipped, owed, decided_at, done_at)
        select n, v, date '2026-11-18' + v, '{6,4}', array[gen_random_uuid(), gen_random_uuid()], '{null,null}',
               '{0,0}', now(), case when n % 1000 > 0 then now() end
          from generate_series(1, \(playersCount)) n cross join generate_series(1, 2) v;
        insert into book_day (day, earned, voided, held, donated, unfunded, log_n, log_hash, closed_at)
        select date '2026-11-19' - n, 0, 0, 0, 0, 0, 0, sha256('h'), now() from generate_series(0, 365) n;
        insert into award (game_id, slug, name, rule, at_least, board_slug, added_at)
        select 1, 'a' || n, 'A', (array['points', 'days', 'streak', 'given', 'charities', 'rank', 'granted'])[1 + n % 7],
               case when n % 7 < 6 then 1 + n end, case when n % 7 in (0, 5) then 'large' end, now()
          from generate_series(0, 99) n;
        insert into award_given (player_id, award_id, given_at)
        select n, a.id, now() from generate_series(1, \(playersCount), 2) n, award a where a.id % 20 = 1;
        insert into award_total (award_id, given) select award_id, count(*) from award_given group by award_id;
        insert into report (player_id, reporter_id, why, text, reported_at, dismissed_by)
        select n, n + 1, 'name', 't', now(), case when n % 10 > 0 then gen_random_uuid() end
          from generate_series(1, 20000) n;
        insert into erasure (player_id, receipt, erased_at)
        select n, gen_random_uuid(), now() from generate_series(190001, 192000) n;
        insert into erased_token (token_hash, receipt, until)
        select sha256(('e' || n)::bytea), gen_random_uuid(), now() from generate_series(1, 2000) n;
        """

    /// Everybody has a score and a donation of these months, and of each a past one. Every fifth donation is anonymous;
    /// half of the scores were held, of which one in fifty still is.
    private static func ledgers(_ board: Int32) -> String {
        """
        insert into standing (board_id, player_id, points, reached_at, lowest_first)
        select \(board), n, n % 9973, timestamptz '2026-11-20 12:00Z' + n * interval '1 ms', false
          from generate_series(1, \(playersCount)) n;
        insert into tally (board_id, day, player_id, points, reached_at)
        select board_id, date '2026-11-20' - (player_id % 30)::int, player_id, points, reached_at from standing;
        insert into score (
          player_id, id, board_id, points, earned, improved, no_client_id, reached_at, recorded_at, day)
        select player_id, gen_random_uuid(), board_id, points, 5, true, player_id % 2 = 0, reached_at, reached_at,
               reached_at::date
          from standing;
        insert into donation (
          player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at, day, row_id,
          day_began_at)
        select n, gen_random_uuid(), 1 + n % 10, 1, n % 5 = 0, false, at, at, at::date, case when n % 5 = 0 then -n end,
               case when n % 5 = 0 then date_trunc('day', at) end
          from generate_series(1, \(playersCount)) n,
               lateral (select timestamptz '2026-09-20 12:00Z' + n * interval '20 s' as at) x;
        insert into standing (board_id, player_id, points, reached_at, lowest_first)
        select c.board_id, coalesce(d.row_id, d.player_id), d.points, d.reached_at, false
          from donation d join charity c on c.id = d.charity_id;
        insert into tally (board_id, day, player_id, points, reached_at)
        select c.board_id, d.day, coalesce(d.row_id, d.player_id), d.points, d.reached_at
          from donation d join charity c on c.id = d.charity_id;
        insert into past_score (
          player_id, id, board_id, points, earned, improved, no_client_id, reached_at, recorded_at, day)
        select player_id, gen_random_uuid(), board_id, points, 0, true, true, reached_at - interval '99 days',
               recorded_at - interval '99 days', day - 99 from only score;
        insert into past_donation (
          player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at, day, row_id,
          day_began_at)
        select player_id, gen_random_uuid(), charity_id, points, anonymous, no_client_id,
               reached_at - interval '99 days', recorded_at - interval '99 days', day - 99, row_id,
               day_began_at - interval '99 days' from only donation;
        insert into best_posts (player_id, board_id, until, ids)
        select player_id, board_id, now(), array_agg(id) from only score group by player_id, board_id;
        insert into score_note (player_id, id, name) select player_id, id, 'n' from only score where player_id % 4 = 0;
        insert into score_state (player_id, id, state)
        select player_id, id, case when player_id % 100 = 0 then 'held' else 'voided' end
          from only score where player_id % 50 = 0;
        insert into held_score (player_id, id, item, why, held_at, judge_until, game_id, secret_until)
        select s.player_id, s.id, gen_random_uuid(), '{judge}', now(), case when m.state = 'held' then now() end, 1,
               now()
          from only score s left join score_state m on m.player_id = s.player_id and m.id = s.id
         where s.player_id % 2 = 0;
        insert into donation_state (player_id, id, unfunded, reversed)
        select player_id, id, 0, true from only donation where player_id % 50 = 0;
        insert into charity_total (charity_id, part, points, contributors)
        select c.id, n, 1, 1 from charity c, generate_series(0, 64) n;
        insert into charity_donated (charity_id, day, points)
        select c.id, date '2026-11-20' - n, 1 from charity c, generate_series(0, 365) n;
        """
    }

    /// Everybody made a challenge of some months, to which four others were invited. One in ten is not settled.
    private static func challenges(_ board: Int32) -> String {
        """
        insert into challenge (id, made_by, board_id, first_day, last_day, stake, made_at, state, settled_at)
        select gen_random_uuid(), n, \(board), x.day, x.day + 1, 5, x.day,
               case when n % 10 = 0 then 'open' else 'settled' end,
               case when n % 10 > 0 then x.day + interval '3 days' end
          from generate_series(1, \(playersCount)) n,
               lateral (select date '2026-11-20' - n % 90 + case when n % 10 = 0 then 100 else 0 end as day) x;
        insert into entry (player_id, contest, state, charity_id, at, settled_at)
        select 1 + (c.made_by + m - 1) % \(playersCount), c.id, case when m = 4 then 'invited' else 'entered' end, 1,
               c.made_at, c.settled_at
          from challenge c, generate_series(0, 4) m;
        insert into stake_share (player_id, challenge, charity_id, points, donation, gave)
        select c.made_by, c.id, 1, 5, gen_random_uuid(), case when c.made_by % 1000 > 1 then 5 end
          from challenge c where c.settled_at is not null;
        insert into campaign (slug, name, board_id, first_day, last_day, goal, cohort_size, added_at)
        select 'default', 'c', board_id, '2026-11-01', '2026-11-20', 1000, 50, now() from charity where id = 1;
        insert into milestone (campaign_id, points, name) select id, 1000, 'm' from campaign;
        insert into cohort_member (player_id, campaign_id, cohort, room, entered_at)
        select n, c.id, 1 + n / 50, 50, now() from campaign c, generate_series(1, \(playersCount)) n;
        """
    }

    /// Operators did something about one player in ten.
    private static let actions = """
        insert into moderation_action (id, kind, player_id, subject, asked, before, after, n, acted_at)
        select gen_random_uuid(), case when n % 10 = 0 then 'ban' else 'void' end, n, gen_random_uuid(), 'x', '{}',
               '{}', 1000 + n, now()
          from generate_series(1, 20000) n;
        insert into correction (player_id, n, kind, subject, points, action, corrected_at)
        select player_id, 1, 'void', subject, 5, id, acted_at from moderation_action;
        insert into log_entry (n, logged_at, action, actor, kind, subject, numbers, words_hash, hash)
        select n, acted_at, id, 'o', kind, 's', '', sha256('w'), sha256('h') from moderation_action;
        insert into log_words (n, salt, reason) select n, sha256('s'), 'r' from log_entry;
        """
}
