-- window_points_position: where a post made now would stand in a range of days on a board: its position, and the one at which its equals begin.
-- $1 int board   $2 date first day   $3 date last day   $4 bigint order key
select count(*) filter (where l.order_key <= $4::bigint) + 1 as position, count(*) filter (where l.order_key < $4::bigint) + 1 as shared
  from window_line($1, $2, $3) l
