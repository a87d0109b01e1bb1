-- stats_days: what happened on each day in UTC, the newest first. It reads every row of these days, by blocks, and no
-- more of each table than the bound: a row beyond it makes the answer null in `is_whole`.
-- $1 date first day   $2 date last day   $3 timestamptz its first instant   $4 timestamptz the instant after the last
-- $5 bigint rows that are read of each table
with posts as materialized (
  select (s.recorded_at at time zone 'UTC')::date as day, s.earned
    from score s
   where s.recorded_at >= $3 and s.recorded_at < $4
   limit $5::bigint + 1
), donations as materialized (
  select (d.recorded_at at time zone 'UTC')::date as day, d.points
    from donation d
   where d.recorded_at >= $3 and d.recorded_at < $4
   limit $5::bigint + 1
), newcomers as materialized (
  select (p.registered_at at time zone 'UTC')::date as day
    from player p
   where p.registered_at >= $3 and p.registered_at < $4
   limit $5::bigint + 1
)
select x.day::date, coalesce(p.rows, 0), coalesce(g.rows, 0), coalesce(n.rows, 0), coalesce(p.earned, 0),
       coalesce(g.points, 0),
       greatest((select count(*) from posts), (select count(*) from donations), (select count(*) from newcomers)) <= $5
         as is_whole
  from generate_series($1::date::timestamp, $2::date::timestamp, interval '1 day') x (day)
  left join (select day, count(*) as rows, sum(earned) as earned from posts group by day) p on p.day = x.day::date
  left join (select day, count(*) as rows, sum(points) as points from donations group by day) g on g.day = x.day::date
  left join (select day, count(*) as rows from newcomers group by day) n on n.day = x.day::date
 order by x.day desc
