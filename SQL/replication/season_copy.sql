-- season_copy: the rows of one season of a board, hidden players' too, the best first.
-- snapshot_parameters has run in this transaction. All columns are in the index of the order, in this order.
copy (
  select s.order_key, s.reached_at, s.player_id
    from standing s
   where s.board_id = current_setting('causeboard.board')::int
   order by s.order_key, s.reached_at, s.player_id
) to stdout (format binary)
