-- window_top_best: the first rows of a range of days on a board that keeps the best; reached when that best was first posted.
-- $1 int board   $2 date first day   $3 date last day   $4 int rows, 1...101
select t.player_id, p.name, p.avatar, (max(t.points * b.sign) * b.sign)::numeric as points,
       (array_agg(t.reached_at order by t.points * b.sign desc, t.reached_at))[1] as reached_at
  from tally t join player p on p.id = t.player_id join board b on b.id = t.board_id
 where t.board_id = $1 and t.day between $2 and $3 and not p.hidden
 group by t.player_id, p.name, p.avatar, b.sign
 order by max(t.points * b.sign) desc, reached_at, t.player_id
 limit $4::int
