-- team_rows: teams by the points of their members on a board, best first, in a range of days: some from a position on,
-- after a key, or the nearest before a key, with the row that follows them. Hidden teams are nowhere, and those of
-- games without teams.
-- Each row brings its position, the position at which its equals begin, how many equals there are, the points of the
-- row above, how many rows there are in all, and how many members have points.
-- $1 int board   $2 date first day   $3 date last day   $4 text row selection: from, after, before   $5 bigint position
-- $6 numeric order key   $7 timestamptz reached   $8 bigint team   $9 int rows, 1...101
with positioned as materialized (
  select w.*, e.name,
         row_number() over best_first as position,
         rank() over by_points as shared,
         count(*) over (partition by w.order_key) as equals,
         count(*) over () as size,
         lag(w.points) over best_first as above
    from team_window_standing($1, $2, $3) w
    join team e on e.id = w.team_id
    join effective_game g on g.id = e.game_id and g.teams <> 'off'
  window best_first as (order by w.order_key, w.reached_at, w.team_id),
         by_points as (order by w.order_key)
), span as materialized (
  select case $4::text
           when 'from' then $5::bigint
           when 'after' then 1 + (
             select count(*)
               from positioned
              where (order_key, reached_at, team_id) <= ($6::numeric, $7::timestamptz, $8::bigint))
           else 1 - $9::int + (
             select count(*)
               from positioned
              where (order_key, reached_at, team_id) < ($6::numeric, $7::timestamptz, $8::bigint))
         end as first_shown,
         case $4::text when 'before' then $9::int + 1 else $9::int end as rows
)
select t.team_id, t.name, null::bytea as avatar, null::text as flag, t.points, t.reached_at, t.order_key,
       t.position, t.shared, t.equals, t.above, null::numeric as better, t.size, t.members
  from positioned t cross join span n
 where t.position >= n.first_shown and t.position - n.first_shown < n.rows
 order by t.position
