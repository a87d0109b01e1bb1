-- window_rows: rows of a range of days on a board, best first: from a position, after a place, the nearest before it with the one that follows them, around a player, or of some players.
-- Each row brings what `board_places` says of one, and how many there are in all. Hidden players are nowhere.
-- $1 int board   $2 date first day   $3 date last day   $4 text cut: from, after, before, around, players   $5 bigint position
-- $6 numeric order key   $7 timestamptz reached   $8 bigint row id   $9 bigint[] row ids   $10 int rows, 1...101; around: on either side
with placed as materialized (
  select l.*, row_number() over place as position, rank() over points as shared, count(*) over (partition by l.order_key) as equals, count(*) over () as size,
         lag(l.points) over place as above
    from window_line($1, $2, $3) l
  window place as (order by l.order_key, l.reached_at, l.player_id), points as (order by l.order_key)
), span as materialized (
  select case $4::text when 'from' then $5::bigint
                       when 'after' then (select count(*) from placed where (order_key, reached_at, player_id) <= ($6::numeric, $7::timestamptz, $8::bigint)) + 1
                       when 'before' then (select count(*) from placed where (order_key, reached_at, player_id) < ($6::numeric, $7::timestamptz, $8::bigint)) - $10::int + 1
                       when 'around' then (select position from placed where player_id = $8) - $10::int end as first_shown,
         case $4::text when 'around' then 2 * $10::int + 1 when 'before' then $10::int + 1 else $10::int end as rows
)
select x.player_id, p.name, p.avatar, x.points, x.reached_at, x.order_key, x.position, x.shared, x.equals, x.above,
       case when $4 = 'players' then (select b.points from placed b where b.position = x.shared - 1) end as better, x.size
  from placed x cross join span n join player p on p.id = abs(x.player_id)
 where case when $4 = 'players' then x.player_id = any($9::bigint[]) else x.position >= n.first_shown and x.position - n.first_shown < n.rows end
 order by x.position
