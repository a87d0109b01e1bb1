-- season_copy: the rows of one season of a board, hidden players' too, the best first; lines_choose has run in this transaction.
-- All that it asks for is in the index of places, in this order.
copy (
  select s.order_key, s.reached_at, s.player_id
    from standing s
   where s.board_id = current_setting('causeboard.board')::int
   order by s.order_key, s.reached_at, s.player_id
) to stdout (format binary)
