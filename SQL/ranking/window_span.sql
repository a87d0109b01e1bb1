-- window_span: when a range of days begins and ends on a board: its first instant, and the first one after it.
-- Where clocks go back at 1:00, as on the Azores, midnight comes twice and `at time zone` means the second one: so a
-- day begins at the earliest half hour that belongs to it.
-- $1 int board   $2 date first day   $3 date last day
select (select min(t)
          from generate_series(-4, 0) n,
               lateral (select $2::date::timestamp at time zone b.zone + n * interval '30 minutes') m(t)
         where (t at time zone b.zone)::date >= $2),
       (select min(t)
          from generate_series(-4, 0) n,
               lateral (select ($3::date + 1)::timestamp at time zone b.zone + n * interval '30 minutes') m(t)
         where (t at time zone b.zone)::date > $3)
  from board b where b.id = $1
