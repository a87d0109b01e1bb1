-- board_own_position: where a place would be that a player is told, instead of the one that everybody sees, on a board,
-- all time of its season. It brings what `board_positions` says of one, and how many rows there would be in all.
-- $1 int board   $2 bigint order key   $3 timestamptz reached   $4 bigint player
with missing as materialized (
  select h.order_bucket, h.player_id from hidden_standing h where h.board_id = $1
   union
  select s.order_bucket, s.player_id from standing s where s.board_id = $1 and s.player_id = $4
), earlier as (
  select (select count(*) from standing s where s.board_id = $1 and s.order_bucket < order_bucket($2))
       - (select count(*) from missing m where m.order_bucket < order_bucket($2)) as rows,
         (select max(s.order_key)
            from standing s
           where s.board_id = $1
             and s.order_bucket = (select l.order_bucket
                                     from standing l
                                    where l.board_id = $1
                                      and l.order_bucket < order_bucket($2)
                                      and l.player_id not in (select player_id from missing)
                                    order by l.order_bucket desc
                                    limit 1)
             and s.player_id not in (select player_id from missing)) as last_key
), bucket as (
  select count(*) filter (where (s.order_key, s.reached_at, s.player_id) < ($2, $3, $4)) as rows_before,
         count(*) filter (where s.order_key < $2) as better,
         count(*) filter (where s.order_key = $2) as equals,
         max(s.order_key) filter (where (s.order_key, s.reached_at, s.player_id) < ($2, $3, $4)) as key_above,
         max(s.order_key) filter (where s.order_key < $2) as better_key
    from standing s
   where s.board_id = $1
     and s.order_bucket = order_bucket($2)
     and s.player_id not in (select player_id from missing)
)
select e.rows + k.rows_before + 1 as position, e.rows + k.better + 1 as shared, k.equals + 1 as equals,
       (coalesce(k.key_above, e.last_key) * - b.sign)::numeric as above,
       (coalesce(k.better_key, e.last_key) * - b.sign)::numeric as better,
       (select count(*) from standing s where s.board_id = $1) - (select count(*) from missing) + 1 as size
  from earlier e cross join bucket k join board b on b.id = $1
 where not exists (select from player p where p.hidden and p.id = $4)
