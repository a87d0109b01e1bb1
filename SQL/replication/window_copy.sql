-- window_copy: the lines of one window of a board, hidden players' too, the best first; lines_choose has run in this transaction.
-- A total beyond 64 bits is an error: such a window is read by SQL.
copy (
  select l.order_key::bigint, l.reached_at, l.player_id
    from window_line_with_hidden(current_setting('causeboard.board')::int, current_setting('causeboard.first_day')::date,
                                 current_setting('causeboard.last_day')::date) l
   order by 1, 2, 3
) to stdout (format binary)
