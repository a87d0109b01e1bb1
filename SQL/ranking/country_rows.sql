-- country_rows: rows of players who show the flag of a country or region, best first: some from a position on, after a
-- key, or the nearest before a key, with the row that follows them. A country has the players of its regions, too.
-- Each row brings its position among them, the position at which its equals begin, and how many rows there are in all.
-- $1 int board   $2 date first day, or null for all time of the season   $3 date last day   $4 text code
-- $5 text row selection: from, after, before   $6 bigint position   $7 numeric order key   $8 timestamptz reached
-- $9 bigint row id   $10 int rows, 1...101
with positioned as materialized (
  select f.*,
         row_number() over best_first as position,
         rank() over by_points as shared,
         count(*) over () as size
    from flagged_standing($1, $2, $3, $4, $4::text || '.') f
  window best_first as (order by f.order_key, f.reached_at, f.player_id),
         by_points as (order by f.order_key)
), span as materialized (
  select case $5::text
           when 'from' then $6::bigint
           when 'after' then 1 + (
             select count(*)
               from positioned
              where (order_key, reached_at, player_id) <= ($7::numeric, $8::timestamptz, $9::bigint))
           else 1 - $10::int + (
             select count(*)
               from positioned
              where (order_key, reached_at, player_id) < ($7::numeric, $8::timestamptz, $9::bigint))
         end as first_shown,
         case $5::text when 'before' then $10::int + 1 else $10::int end as rows
)
select t.player_id, p.name, p.avatar, t.flag, t.points, t.reached_at, t.order_key, t.position, t.shared, t.size
  from positioned t
 cross join span n
  left join lateral (select p.name, p.avatar from player p where p.id = t.player_id limit 1) p on true
 where t.position >= n.first_shown and t.position - n.first_shown < n.rows
 order by t.position
