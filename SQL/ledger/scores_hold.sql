-- scores_hold: keeps scores that were just recorded out of all rankings, and what they earned from being donated. The
-- wallets are locked, and each is of one of the scores at most.
-- $1 bigint[] player   $2 uuid[] id   $3 text[] why, with spaces between   $4 bigint[] earned
-- $5 timestamptz[] until when the game may judge it, or null
-- $6 timestamptz[] until when its owner is not told, or null where points do not settle
-- $7 timestamptz now   $8 int[] board
with held as materialized (
  select v.*
    from unnest($1::bigint[], $2::uuid[], $3::text[], $4::bigint[], $5::timestamptz[], $6::timestamptz[], $8::int[])
         v(player_id, id, why, earned, judge_until, secret_until, board_id)
), marked as (
  insert into score_state (player_id, id, state) select h.player_id, h.id, 'held' from held h
), listed as (
  insert into held_score (player_id, id, item, why, held_at, judge_until, game_id, secret_until)
  select h.player_id, h.id, gen_random_uuid(), string_to_array(h.why, ' '), $7, h.judge_until,
         b.game_id, coalesce(h.secret_until, s.reached_at)
    from held h
    join board b on b.id = h.board_id
    join score s on s.player_id = h.player_id and s.id = h.id
), noted as (
  insert into correction (player_id, n, kind, subject, points, action, corrected_at)
  select h.player_id, (select coalesce(max(k.n), 0) from correction k where k.player_id = h.player_id) + 1, 'hold',
         h.id, h.earned, null, $7
    from held h
)
update wallet w
   set held = w.held + h.earned, holds = w.holds + 1, secret_until = greatest(w.secret_until, h.secret_until)
  from held h
 where w.player_id = h.player_id
