-- posts_time: notes when players posted to boards whose rules go by that. The wallets are locked.
-- $1 bigint[] player   $2 int[] board   $3 int[] posts that the board takes in a minute, at least 1
-- $4 timestamptz[] when
insert into post_times as t (board_id, player_id, posted_at)
select v.board_id, v.player_id, array[v.at]
  from unnest($1::bigint[], $2::int[], $3::int[], $4::timestamptz[]) v(player_id, board_id, posts, at)
on conflict (board_id, player_id) do update
   set posted_at = (t.posted_at || excluded.posted_at)[
         greatest(1, cardinality(t.posted_at) + 2 - (
           select v.posts
             from unnest($1::bigint[], $2::int[], $3::int[]) v(player_id, board_id, posts)
            where v.player_id = t.player_id and v.board_id = t.board_id)):]
