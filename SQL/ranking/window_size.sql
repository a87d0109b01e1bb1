-- window_size: how many players stand on a board in a range of days; hidden ones do not.
-- $1 int board   $2 date first day   $3 date last day
select count(*) from window_standing($1, $2, $3)
