-- window_copy: the lines of one window of a board, hidden players' too, in any order; lines_choose has run in this transaction.
-- A total beyond 64 bits is an error: such a window is read by SQL.
copy (
  select l.player_id, l.points::bigint, l.reached_at
    from window_line_with_hidden(current_setting('causeboard.board')::int, current_setting('causeboard.first_day')::date,
                                 current_setting('causeboard.last_day')::date) l
) to stdout (format binary)
