-- wallets_give: takes donations out of the wallets, which wallets_lock has locked.
-- $1 bigint[] player   $2 bigint[] points
update wallet w
   set given = w.given + v.points
  from unnest($1::bigint[], $2::bigint[]) v(player_id, points)
 where w.player_id = v.player_id
