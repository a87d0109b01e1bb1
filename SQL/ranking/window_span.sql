-- window_span: when a range of days begins and ends on a board: its first instant, and the first one after it.
-- $1 int board   $2 date first day   $3 date last day
select day_start($2::date, b.zone), day_start($3::date + 1, b.zone) from board b where b.id = $1
