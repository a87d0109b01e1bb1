-- board_top: the first rows of a board, all time of its season, in the one total order. Ask for one row more than is shown to see whether the last is tied.
-- Reads the rollup that `audit` proves by GROUP BY.
-- $1 int board   $2 int rows, 1...101
select s.player_id, p.name, p.avatar, s.points::numeric as points, s.reached_at
  from standing s join player p on p.id = s.player_id
 where s.board_id = $1 and not p.hidden
 order by s.order_key, s.reached_at, s.player_id
 limit $2::int
