-- board_points_position: where a post made now would stand on a board, all time of its season.
-- It brings the position, and the position at which its equals begin.
-- $1 int board   $2 bigint order key
with hidden as materialized (
  select h.order_key from hidden_standing h where h.board_id = $1
)
select (select count(*) from standing s where s.board_id = $1 and s.order_key <= $2)
     - (select count(*) from hidden h where h.order_key <= $2) + 1 as position,
       (select count(*) from standing s where s.board_id = $1 and s.order_key < $2)
     - (select count(*) from hidden h where h.order_key < $2) + 1 as shared
