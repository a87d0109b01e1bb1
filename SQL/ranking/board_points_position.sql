-- board_points_position: where a post made now would stand on a board, all time of its season: its position, and the one at which its equals begin.
-- $1 int board   $2 bigint order key
with hidden as materialized (
  select o.order_key from player h join standing o on o.board_id = $1 and o.player_id in (h.id, - h.id) where h.hidden
)
select (select count(*) from standing o where o.board_id = $1 and o.order_key <= $2) - (select count(*) from hidden h where h.order_key <= $2) + 1 as position,
       (select count(*) from standing o where o.board_id = $1 and o.order_key < $2) - (select count(*) from hidden h where h.order_key < $2) + 1 as shared
