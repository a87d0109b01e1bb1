-- window_top_sum: the first rows of a range of days on a board that sums (giving boards do); reached when the last point came.
-- $1 int board   $2 date first day   $3 date last day   $4 int rows, 1...101
select t.player_id, p.name, p.avatar, sum(t.points) as points, max(t.reached_at) as reached_at     -- numeric: totals may pass 64 bits
  from tally t join player p on p.id = t.player_id join board b on b.id = t.board_id
 where t.board_id = $1 and t.day between $2 and $3 and not p.hidden
 group by t.player_id, p.name, p.avatar, b.sign
 order by sum(t.points) * b.sign desc, max(t.reached_at), t.player_id
 limit $4::int
