-- wallets_donate: takes donations out of the wallets, which wallets_lock has locked.
-- $1 bigint[] player   $2 bigint[] points
update wallet w
   set donated = w.donated + v.points
  from unnest($1::bigint[], $2::bigint[]) v(player_id, points)
 where w.player_id = v.player_id
