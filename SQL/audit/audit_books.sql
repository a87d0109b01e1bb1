-- audit_books: the closed days, added up again from the ledgers and the corrections up to the last of them, in all, of
-- each charity and of each game, and the log's last entry.
-- returns AuditedRows(compared, differing, example)
with span as materialized (
  select min(day) as first, max(day) as last, (max(day) + 1)::timestamp at time zone 'UTC' as until from book_day
), posts as materialized (
  select (s.recorded_at at time zone 'UTC')::date as day, b.game_id, sum(s.earned) as earned
    from score s
    join board b on b.id = s.board_id
   where s.recorded_at < (select until from span)
   group by (s.recorded_at at time zone 'UTC')::date, b.game_id
), donations as materialized (
  select (d.recorded_at at time zone 'UTC')::date as day, d.charity_id, sum(d.points) as points
    from donation d
   where d.recorded_at < (select until from span)
   group by (d.recorded_at at time zone 'UTC')::date, d.charity_id
), moves as materialized (
  select (c.corrected_at at time zone 'UTC')::date as day, d.charity_id,
         coalesce(sum(c.points) filter (where c.kind in ('void', 'forfeit')), 0)
         - coalesce(sum(c.points) filter (where c.kind in ('unvoid', 'unforfeit')), 0) as voided,
         coalesce(sum(c.points) filter (where c.kind = 'hold'), 0)
         - coalesce(sum(c.points) filter (where c.kind = 'release'), 0) as held,
         coalesce(sum(c.points) filter (where c.kind = 'reverse'), 0)
         - coalesce(sum(c.points) filter (where c.kind = 'unreverse'), 0) as reversed,
         coalesce(sum(c.points) filter (where c.kind = 'unfund'), 0)
         - coalesce(sum(c.points) filter (where c.kind = 'fund'), 0) as unfunded
    from correction c
    left join donation d
      on d.player_id = c.player_id and d.id = c.subject and c.kind in ('reverse', 'unreverse', 'unfund', 'fund')
   where c.corrected_at < (select until from span)
   group by (c.corrected_at at time zone 'UTC')::date, d.charity_id
), entries as (
  select greatest((e.logged_at at time zone 'UTC')::date, (select first from span)) as day, max(e.n) as n
    from log_entry e
   where e.logged_at < (select until from span)
   group by greatest((e.logged_at at time zone 'UTC')::date, (select first from span))
), changes (day, earned, voided, held, donated, unfunded, log_n) as (
  select day, earned, 0, 0, 0, 0, 0 from posts
   union all
  select day, 0, 0, 0, points, 0, 0 from donations
   union all
  select day, 0, voided, held, - reversed, unfunded, 0 from moves
   union all
  select day, 0, 0, 0, 0, 0, n from entries
   union all
  select x.day::date, 0, 0, 0, 0, 0, 0
    from span s cross join generate_series(s.first::timestamp, s.last::timestamp, interval '1 day') x (day)
), days as (
  select day, sum(sum(earned)) over w as earned, sum(sum(voided)) over w as voided, sum(sum(held)) over w as held,
         sum(sum(donated)) over w as donated, sum(sum(unfunded)) over w as unfunded, max(max(log_n)) over w as log_n
    from changes
   group by day
  window w as (order by day)
), charities as (
  select charity_id, day, sum(sum(points)) over (partition by charity_id order by day) as points
    from (select charity_id, day, points from donations
           union all
          select charity_id, day, - reversed - unfunded from moves where charity_id is not null) x
   group by charity_id, day
), games as (
  select game_id, day, sum(earned) over (partition by game_id order by day) as points from posts
), compared as (
  select 'day ' || day as name,
         (b.earned, b.voided, b.held, b.donated, b.unfunded, b.log_n, b.log_hash)
         is distinct from (d.earned, d.voided, d.held, d.donated, d.unfunded, d.log_n,
                           coalesce(e.hash, decode(repeat('00', 32), 'hex'))) as differs
    from book_day b full join days d using (day) left join log_entry e on e.n = d.log_n
   union all
  select 'charity ' || charity_id || ', day ' || day, b.points is distinct from c.points
    from book_charity b full join charities c using (charity_id, day)
   union all
  select 'game ' || game_id || ', day ' || day, b.points is distinct from g.points
    from book_game b full join games g using (game_id, day)
)
select count(*), count(*) filter (where differs), min(name) filter (where differs) from compared
