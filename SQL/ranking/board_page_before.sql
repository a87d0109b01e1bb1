-- board_page_before: the nearest rows of a board before a place in the one total order, and the one that follows them, all time of its season.
-- Each row brings the position of the first one, and the position at which that one's equals begin. Hidden players are nowhere.
-- The row that follows tells whether the last one is tied; one row more than is shown tells whether more precede.
-- $1 int board   $2 bigint order key   $3 timestamptz reached   $4 bigint row id   $5 int rows, 1...101
with hidden as materialized (
  select o.order_key, o.reached_at, o.player_id from player h join standing o on o.board_id = $1 and o.player_id in (h.id, - h.id) where h.hidden
), page as materialized (
  (select s.order_key, s.reached_at, s.player_id
     from standing s
    where s.board_id = $1 and (s.order_key, s.reached_at, s.player_id) < ($2, $3, $4) and s.player_id not in (select player_id from hidden)
    order by s.order_key desc, s.reached_at desc, s.player_id desc
    limit $5::int)
  union all
  (select s.order_key, s.reached_at, s.player_id
     from standing s
    where s.board_id = $1 and (s.order_key, s.reached_at, s.player_id) >= ($2, $3, $4) and s.player_id not in (select player_id from hidden)
    order by s.order_key, s.reached_at, s.player_id
    limit 1)
), first as (
  select order_key, reached_at, player_id from page order by order_key, reached_at, player_id limit 1
), place as materialized (
  select (select count(*) from standing o where o.board_id = $1 and o.order_key < f.order_key)
       - (select count(*) from hidden h where h.order_key < f.order_key) as better,
         (select count(*) from standing o where o.board_id = $1 and o.order_key = f.order_key and (o.reached_at, o.player_id) < (f.reached_at, f.player_id))
       - (select count(*) from hidden h where h.order_key = f.order_key and (h.reached_at, h.player_id) < (f.reached_at, f.player_id)) as equals_before
    from first f
)
select g.player_id, p.name, p.avatar, (g.order_key * - b.sign)::numeric as points, g.reached_at, g.order_key::numeric, l.better + l.equals_before + 1 as position, l.better + 1 as shared
  from page g cross join place l join board b on b.id = $1 join player p on p.id = abs(g.player_id)
 order by g.order_key, g.reached_at, g.player_id
