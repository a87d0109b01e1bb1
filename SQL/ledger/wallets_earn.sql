-- wallets_earn: adds what scores earned to the wallets, which wallets_lock has locked.
-- $1 bigint[] player   $2 bigint[] earned
update wallet w
   set earned = w.earned + v.earned
  from unnest($1::bigint[], $2::bigint[]) v(player_id, earned)
 where w.player_id = v.player_id
