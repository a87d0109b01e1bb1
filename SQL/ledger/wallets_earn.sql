-- wallets_earn: adds what scores earned to the wallets, which wallets_lock has locked.
-- $1 bigint[] player   $2 bigint[] earned   $3 timestamptz[] when that may be donated, or null for at once
update wallet w
   set earned = w.earned + v.earned, settles_at = greatest(w.settles_at, v.settles_at)
  from unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) v(player_id, earned, settles_at)
 where w.player_id = v.player_id
