-- window_rows: rows of a range of days on a board, best first; which ones, the row selection says.
-- `from` a position on; `after` a key; the nearest `before` a key, with the row that follows them; the nearest `around`
-- a player; or those of some `players`.
-- Each row brings what `board_positions` says of one, and how many rows there are in all. Hidden players are nowhere.
-- $1 int board   $2 date first day   $3 date last day   $4 text row selection: from, after, before, around, players
-- $5 bigint position   $6 numeric order key   $7 timestamptz reached   $8 bigint row id   $9 bigint[] row ids
-- $10 int rows, 1...101; around: on either side
with positioned as materialized (
  select w.*,
         row_number() over best_first as position,
         rank() over by_points as shared,
         count(*) over (partition by w.order_key) as equals,
         count(*) over () as size,
         lag(w.points) over best_first as above
    from window_standing($1, $2, $3) w
  window best_first as (order by w.order_key, w.reached_at, w.player_id),
         by_points as (order by w.order_key)
), span as materialized (
  select case $4::text
           when 'from' then $5::bigint
           when 'after' then 1 + (
             select count(*)
               from positioned
              where (order_key, reached_at, player_id) <= ($6::numeric, $7::timestamptz, $8::bigint))
           when 'before' then 1 - $10::int + (
             select count(*)
               from positioned
              where (order_key, reached_at, player_id) < ($6::numeric, $7::timestamptz, $8::bigint))
           when 'around' then (select position from positioned where player_id = $8) - $10::int
         end as first_shown,
         case $4::text
           when 'around' then 2 * $10::int + 1
           when 'before' then $10::int + 1
           else $10::int
         end as rows
)
select t.player_id, p.name, p.avatar, p.flag, t.points, t.reached_at, t.order_key, t.position, t.shared, t.equals,
       t.above,
       case when $4 = 'players' then (select b.points from positioned b where b.position = t.shared - 1) end as better,
       t.size
  from positioned t cross join span n left join shown_player p on p.id = t.player_id
 where case when $4 = 'players' then t.player_id = any($9::bigint[])
            else t.position >= n.first_shown and t.position - n.first_shown < n.rows
       end
 order by t.position
