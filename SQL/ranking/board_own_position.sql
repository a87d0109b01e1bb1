-- board_own_position: where a place would be that a player is told, instead of the one that everybody sees, on a board,
-- all time of its season. It brings what `board_positions` says of one, and how many rows there would be in all.
-- $1 int board   $2 bigint order key   $3 timestamptz reached   $4 bigint player
with others as not materialized (
  select s.order_key, s.reached_at, s.player_id, s.points
    from standing s
   where s.board_id = $1 and s.player_id <> $4
     and not exists (select from player p where p.hidden and p.id = s.player_id)
)
select (select count(*) from others o where (o.order_key, o.reached_at, o.player_id) < ($2, $3, $4)) + 1 as position,
       (select count(*) from others o where o.order_key < $2) + 1 as shared,
       (select count(*) from others o where o.order_key = $2) + 1 as equals,
       (select o.points::numeric from others o where (o.order_key, o.reached_at, o.player_id) < ($2, $3, $4)
         order by o.order_key desc, o.reached_at desc, o.player_id desc limit 1) as above,
       (select o.points::numeric from others o where o.order_key < $2
         order by o.order_key desc, o.reached_at desc, o.player_id desc limit 1) as better,
       (select count(*) from others) + 1 as size
 where not exists (select from player p where p.hidden and p.id = $4)
