-- board_points_position: where a post made now would stand on a board, all time of its season.
-- It brings the position, and the position at which its equals begin.
-- $1 int board: Board.ID   $2 bigint orderKey
-- returns PointsPosition(position, sharedPosition)
with hidden as materialized (
  select h.order_bucket, h.player_id from hidden_standing h where h.board_id = $1
), earlier as (
  select (select count(*) from standing s where s.board_id = $1 and s.order_bucket < order_bucket($2))
       - (select count(*) from hidden h where h.order_bucket < order_bucket($2)) as rows
), bucket as (
  select count(*) filter (where s.order_key <= $2) as up_to, count(*) filter (where s.order_key < $2) as better
    from standing s
   where s.board_id = $1
     and s.order_bucket = order_bucket($2)
     and s.player_id not in (select player_id from hidden)
)
select e.rows + b.up_to + 1 as position, e.rows + b.better + 1 as shared from earlier e cross join bucket b
