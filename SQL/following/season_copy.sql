-- season_copy: the rows of one season of a board, hidden players' too, in any order; lines_choose has run in this transaction.
copy (
  select s.player_id, s.points, s.reached_at from standing s where s.board_id = current_setting('causeboard.board')::int
) to stdout (format binary)
