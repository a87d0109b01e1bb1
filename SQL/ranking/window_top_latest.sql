-- window_top_latest: the first rows of a range of days on a board that keeps the latest; reached when that post came.
-- $1 int board   $2 date first day   $3 date last day   $4 int rows, 1...101
select t.player_id, p.name, p.avatar, ((array_agg(t.points order by t.day desc))[1])::numeric as points, max(t.reached_at) as reached_at
  from tally t join player p on p.id = t.player_id join board b on b.id = t.board_id
 where t.board_id = $1 and t.day between $2 and $3 and not p.hidden
 group by t.player_id, p.name, p.avatar, b.sign
 order by (array_agg(t.points * b.sign order by t.day desc))[1] desc, max(t.reached_at), t.player_id
 limit $4::int
