-- board_positions: where some players stand on a board, all time of its season, best first.
-- Who has no row, or is hidden, is left out.
-- Each row brings its position, the position at which its equals begin, how many equals there are (itself too),
-- the points of the row above, and the next better points.
-- $1 int board   $2 bigint[] row ids: players, or negative those of anonymous donations
with hidden as materialized (
  select h.order_key, h.reached_at, h.player_id from hidden_standing h where h.board_id = $1
),
-- Each player's row beside that of the next better one who is asked for, so that the rows between are counted once.
asked as materialized (
  select s.player_id, p.name, p.avatar, s.points, s.reached_at, s.order_key,
         lag(s.order_key, 1, -9223372036854775808) over best_first as last_key,
         lag(s.reached_at, 1, '-infinity') over best_first as last_reached,
         lag(s.player_id, 1, 0::bigint) over best_first as last_id
    from standing s left join player p on p.id = s.player_id
   where s.board_id = $1 and s.player_id = any($2::bigint[]) and p.hidden is not true
  window best_first as (order by s.order_key, s.reached_at, s.player_id)
), counted as (
  select a.*,
         (select count(*)
            from standing s
           where s.board_id = $1
             and (s.order_key, s.reached_at, s.player_id) >= (a.last_key, a.last_reached, a.last_id)
             and (s.order_key, s.reached_at, s.player_id) < (a.order_key, a.reached_at, a.player_id))
       - (select count(*)
            from hidden h
           where (h.order_key, h.reached_at, h.player_id) >= (a.last_key, a.last_reached, a.last_id)
             and (h.order_key, h.reached_at, h.player_id) < (a.order_key, a.reached_at, a.player_id)) as since_last,
         (select count(*)
            from standing s
           where s.board_id = $1
             and s.order_key = a.order_key
             and (s.reached_at, s.player_id) < (a.reached_at, a.player_id))
       - (select count(*)
            from hidden h
           where h.order_key = a.order_key
             and (h.reached_at, h.player_id) < (a.reached_at, a.player_id)) as equals_before,
         (select count(*) from standing s where s.board_id = $1 and s.order_key = a.order_key)
       - (select count(*) from hidden h where h.order_key = a.order_key) as equals
    from asked a
), positioned as (
  select c.*, sum(since_last) over (order by order_key, reached_at, player_id)::bigint + 1 as position from counted c
)
select t.player_id, t.name, t.avatar, t.points::numeric, t.reached_at, t.order_key::numeric,
       t.position, t.position - t.equals_before as shared, t.equals,
       (select s.points::numeric
          from standing s
         where s.board_id = $1
           and (s.order_key, s.reached_at, s.player_id) < (t.order_key, t.reached_at, t.player_id)
           and s.player_id not in (select player_id from hidden)
         order by s.order_key desc, s.reached_at desc, s.player_id desc
         limit 1) as above,
       (select s.points::numeric
          from standing s
         where s.board_id = $1
           and s.order_key < t.order_key
           and s.player_id not in (select player_id from hidden)
         order by s.order_key desc, s.reached_at desc, s.player_id desc
         limit 1) as better
  from positioned t
 order by t.position
