-- window_own_position: where a place would be that a player is told, instead of the one that everybody sees, in a range
-- of days on a board. It brings what `board_own_position` brings.
-- $1 int board   $2 date first day   $3 date last day   $4 bigint order key   $5 timestamptz reached   $6 bigint player
with others as materialized (
  select w.order_key, w.reached_at, w.player_id, w.points from window_standing($1, $2, $3) w where w.player_id <> $6
)
select (select count(*)
          from others o
         where (o.order_key, o.reached_at, o.player_id) < ($4::bigint, $5, $6)) + 1 as position,
       (select count(*) from others o where o.order_key < $4::bigint) + 1 as shared,
       (select count(*) from others o where o.order_key = $4::bigint) + 1 as equals,
       (select o.points from others o where (o.order_key, o.reached_at, o.player_id) < ($4::bigint, $5, $6)
         order by o.order_key desc, o.reached_at desc, o.player_id desc limit 1) as above,
       (select o.points from others o where o.order_key < $4::bigint
         order by o.order_key desc, o.reached_at desc, o.player_id desc limit 1) as better,
       (select count(*) from others) + 1 as size
 where not exists (select from player p where p.hidden and p.id = $6)
