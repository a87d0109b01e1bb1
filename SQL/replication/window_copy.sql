-- window_copy: the standings of one window of a board, hidden players' too, the best first.
-- snapshot_parameters has run in this transaction. A total beyond 64 bits is an error: such a window is read by SQL.
copy (
  select w.order_key::bigint, w.reached_at, w.player_id
    from window_standing_with_hidden(
           current_setting('causeboard.board')::int,
           current_setting('causeboard.first_day')::date,
           current_setting('causeboard.last_day')::date
         ) w
   order by 1, 2, 3
) to stdout (format binary)
