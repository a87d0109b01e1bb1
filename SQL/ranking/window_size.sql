-- window_size: how many players stand on a board in a range of days; hidden ones do not.
-- $1 int board   $2 date first day   $3 date last day
select count(distinct t.player_id) from tally t join player p on p.id = t.player_id
 where t.board_id = $1 and t.day between $2 and $3 and not p.hidden
