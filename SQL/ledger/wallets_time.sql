-- wallets_time: adds what scores earned to the wallets of those who posted to boards whose rules go by times, and
-- replaces their last posts to such boards. wallets_lock has locked and read them.
-- $1 bigint[] player   $2 bigint[] earned, 0 or more   $3 timestamptz[] when that may be donated, or null for at once
-- $4 int[] first and $5 int[] last of the player's posts among all, from 1   $6 int[] board of each post
-- $7 timestamptz[] when
update wallet w
   set earned = w.earned + v.earned, settles_at = greatest(w.settles_at, v.settles_at),
       timed_boards = ($6::int[])[v.from_post:v.to_post], timed_at = ($7::timestamptz[])[v.from_post:v.to_post]
  from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::int[], $5::int[])
       v(player_id, earned, settles_at, from_post, to_post)
 where w.player_id = v.player_id
