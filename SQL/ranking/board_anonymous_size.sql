-- board_anonymous_size: how many rows of a donation board are anonymous donations, all time. Their ids are negative.
-- $1 int board: Board.ID
-- returns Int64
select count(*) from standing s where s.board_id = $1 and s.player_id < 0
