-- window_points_position: where a post made now would stand in a range of days on a board.
-- It brings the position, and the position at which its equals begin.
-- $1 int board   $2 date first day   $3 date last day   $4 bigint order key
select count(*) filter (where w.order_key <= $4::bigint) + 1 as position,
       count(*) filter (where w.order_key < $4::bigint) + 1 as shared
  from window_standing($1, $2, $3) w
