-- board_positions: where some players stand on a board, all time of its season, best first; who has no row, or is hidden, is left out.
-- Each row brings its position, the position at which its equals begin, how many equals there are (itself too), the points of the row above, and the next
-- better points. Rows are counted once: from each of the players to the next.
-- $1 int board   $2 bigint[] row ids: players, or negative where they gave anonymously
with hidden as materialized (
  select o.order_key, o.reached_at, o.player_id from player h join standing o on o.board_id = $1 and o.player_id in (h.id, - h.id) where h.hidden
), asked as materialized (
  select s.player_id, p.name, p.avatar, s.points, s.reached_at, s.order_key,
         lag(s.order_key, 1, -9223372036854775808) over place as last_key, lag(s.reached_at, 1, '-infinity') over place as last_reached, lag(s.player_id, 1, 0::bigint) over place as last_id
    from standing s join player p on p.id = abs(s.player_id)
   where s.board_id = $1 and s.player_id = any($2::bigint[]) and not p.hidden
  window place as (order by s.order_key, s.reached_at, s.player_id)
), counted as (
  select a.*,
         (select count(*) from standing o where o.board_id = $1
             and (o.order_key, o.reached_at, o.player_id) >= (a.last_key, a.last_reached, a.last_id) and (o.order_key, o.reached_at, o.player_id) < (a.order_key, a.reached_at, a.player_id))
       - (select count(*) from hidden h
           where (h.order_key, h.reached_at, h.player_id) >= (a.last_key, a.last_reached, a.last_id) and (h.order_key, h.reached_at, h.player_id) < (a.order_key, a.reached_at, a.player_id)) as since_last,
         (select count(*) from standing o where o.board_id = $1 and o.order_key = a.order_key and (o.reached_at, o.player_id) < (a.reached_at, a.player_id))
       - (select count(*) from hidden h where h.order_key = a.order_key and (h.reached_at, h.player_id) < (a.reached_at, a.player_id)) as equals_before,
         (select count(*) from standing o where o.board_id = $1 and o.order_key = a.order_key) - (select count(*) from hidden h where h.order_key = a.order_key) as equals
    from asked a
), placed as (
  select c.*, sum(since_last) over (order by order_key, reached_at, player_id)::bigint + 1 as position from counted c
)
select c.player_id, c.name, c.avatar, c.points::numeric, c.reached_at, c.order_key::numeric, c.position, c.position - c.equals_before as shared,
       c.equals,
       (select o.points::numeric from standing o where o.board_id = $1 and (o.order_key, o.reached_at, o.player_id) < (c.order_key, c.reached_at, c.player_id)
           and o.player_id not in (select player_id from hidden)
         order by o.order_key desc, o.reached_at desc, o.player_id desc limit 1) as above,
       (select o.points::numeric from standing o where o.board_id = $1 and o.order_key < c.order_key
           and o.player_id not in (select player_id from hidden)
         order by o.order_key desc, o.reached_at desc, o.player_id desc limit 1) as better
  from placed c
 order by c.position
