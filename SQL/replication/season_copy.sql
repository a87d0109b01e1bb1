-- season_copy: the rows of one season of a board, hidden players' too, the best first.
-- snapshot_parameters has run in this transaction, and has given it memory to sort in: a sequential scan and a sort
-- cost less than finding the rows of each bucket where nothing is in memory yet.
copy (
  select s.order_key, s.reached_at, s.player_id
    from standing s
   where s.board_id = current_setting('causeboard.board')::int
   order by s.order_key, s.reached_at, s.player_id
) to stdout (format binary)
