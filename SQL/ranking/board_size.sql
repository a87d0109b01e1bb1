-- board_size: how many players stand on a board, all time of its season; hidden ones do not.
-- $1 int board
select (select count(*) from standing s where s.board_id = $1)
     - (select count(*) from player p join standing s on s.board_id = $1 and s.player_id in (p.id, - p.id) where p.hidden)
