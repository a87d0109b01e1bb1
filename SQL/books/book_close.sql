-- book_close: closes the days in UTC that are over, from what was recorded on them, and says how many. It reads the
-- rows of these days once, whatever their number. Without a closed day the books begin on the day of the first score or
-- donation. The lock is held, and the sums go on from the last closed day.
-- $1 date first day, or null when none is closed   $2 date last day   $3 timestamptz where the first begins, or null
-- $4 timestamptz end of the last day   $5 timestamptz now
with posts as materialized (
  select (s.recorded_at at time zone 'UTC')::date as day, b.game_id, sum(s.earned) as earned
    from score s
    join board b on b.id = s.board_id
   where s.recorded_at >= coalesce($3::timestamptz, '-infinity') and s.recorded_at < $4
   group by (s.recorded_at at time zone 'UTC')::date, b.game_id
), donations as materialized (
  select (d.recorded_at at time zone 'UTC')::date as day, d.charity_id, sum(d.points) as points
    from donation d
   where d.recorded_at >= coalesce($3::timestamptz, '-infinity') and d.recorded_at < $4
   group by (d.recorded_at at time zone 'UTC')::date, d.charity_id
), moves as materialized (
  select (c.corrected_at at time zone 'UTC')::date as day, d.charity_id,
         sum(case when c.kind in ('void', 'forfeit') then c.points
                  when c.kind in ('unvoid', 'unforfeit') then - c.points else 0 end) as voided,
         sum(case c.kind when 'hold' then c.points when 'release' then - c.points else 0 end) as held,
         sum(case c.kind when 'reverse' then c.points when 'unreverse' then - c.points else 0 end) as reversed,
         sum(case c.kind when 'unfund' then c.points when 'fund' then - c.points else 0 end) as unfunded
    from correction c
    left join donation d
      on d.player_id = c.player_id and d.id = c.subject and c.kind in ('reverse', 'unreverse', 'unfund', 'fund')
   where c.corrected_at >= coalesce($3::timestamptz, '-infinity') and c.corrected_at < $4
   group by (c.corrected_at at time zone 'UTC')::date, d.charity_id
), days as materialized (
  select x.day::date as day
    from generate_series(
           coalesce($1::date, least((select min(day) from posts), (select min(day) from donations)))::timestamp,
           $2::date::timestamp, interval '1 day'
         ) x (day)
), before as materialized (
  select coalesce(max(b.earned), 0) as earned, coalesce(max(b.voided), 0) as voided, coalesce(max(b.held), 0) as held,
         coalesce(max(b.donated), 0) as donated, coalesce(max(b.unfunded), 0) as unfunded,
         coalesce(max(b.log_n), 0) as log_n
    from book_day b
   where b.day = (select max(day) from book_day)
), entries as (
  -- What was logged before the books began is in those of their first day.
  select greatest((e.logged_at at time zone 'UTC')::date, (select min(day) from days)) as day, max(e.n) as n
    from log_entry e
   where e.n > (select log_n from before) and e.logged_at < $4
   group by greatest((e.logged_at at time zone 'UTC')::date, (select min(day) from days))
), sums as (
  select d.day, b.earned + sum(coalesce(p.earned, 0)) over w as earned,
         b.voided + sum(coalesce(m.voided, 0)) over w as voided, b.held + sum(coalesce(m.held, 0)) over w as held,
         b.donated + sum(coalesce(g.points, 0) - coalesce(m.reversed, 0)) over w as donated,
         b.unfunded + sum(coalesce(m.unfunded, 0)) over w as unfunded,
         greatest(b.log_n, max(e.n) over w) as log_n
    from days d
   cross join before b
    left join (select day, sum(earned) as earned from posts group by day) p on p.day = d.day
    left join (select day, sum(points) as points from donations group by day) g on g.day = d.day
    left join (select day, sum(voided) as voided, sum(held) as held, sum(reversed) as reversed,
                      sum(unfunded) as unfunded
                 from moves
                group by day) m on m.day = d.day
    left join entries e on e.day = d.day
  window w as (order by d.day)
), charities as (
  insert into book_charity (charity_id, day, points)
  select x.charity_id, x.day,
         coalesce((select b.points from book_charity b where b.charity_id = x.charity_id order by b.day desc limit 1),
                  0)
         + sum(sum(x.points)) over (partition by x.charity_id order by x.day)
    from (select charity_id, day, points from donations
           union all
          select charity_id, day, - reversed - unfunded from moves where charity_id is not null) x
   group by x.charity_id, x.day
), games as (
  insert into book_game (game_id, day, points)
  select x.game_id, x.day,
         coalesce((select b.points from book_game b where b.game_id = x.game_id order by b.day desc limit 1), 0)
         + sum(x.earned) over (partition by x.game_id order by x.day)
    from posts x
), closed as (
  insert into book_day (day, earned, voided, held, donated, unfunded, log_n, log_hash, closed_at)
  select s.day, s.earned, s.voided, s.held, s.donated, s.unfunded, s.log_n,
         coalesce(e.hash, decode(repeat('00', 32), 'hex')), $5
    from sums s left join log_entry e on e.n = s.log_n
  returning 1
)
select count(*) from closed
