-- window_anonymous_size: how many rows of a donation board are anonymous donations in a range of days.
-- $1 int board   $2 date first day   $3 date last day
select count(*) from window_standing($1, $2, $3) where player_id < 0
