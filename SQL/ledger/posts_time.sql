-- posts_time: notes when players posted who have a row on the board already: it costs half of an insertion that may be
-- an update. The wallets are locked.
-- $1 bigint[] player   $2 int[] board   $3 int[] posts that the board takes in a minute, at least 1
-- $4 timestamptz[] when
update post_times t
   set posted_at = (t.posted_at || v.at)[greatest(1, cardinality(t.posted_at) + 2 - v.posts):]
  from unnest($1::bigint[], $2::int[], $3::int[], $4::timestamptz[]) v(player_id, board_id, posts, at)
 where t.board_id = v.board_id and t.player_id = v.player_id
