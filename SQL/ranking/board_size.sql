-- board_size: how many players stand on a board, all time of its season; hidden ones do not.
-- $1 int board: Board.ID
-- returns Int64
select (select count(*) from standing s where s.board_id = $1)
     - (select count(*) from hidden_standing h where h.board_id = $1)
