-- window_span: when a range of days begins and ends on a board: its first moment, and the first one after it.
-- $1 int board   $2 date first day   $3 date last day
select $2::date::timestamp at time zone b.zone, ($3::date + 1)::timestamp at time zone b.zone from board b where b.id = $1
