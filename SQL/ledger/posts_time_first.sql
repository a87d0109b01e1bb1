-- posts_time_first: notes when players posted to boards whose rules go by that, who may have no row yet. The wallets
-- are locked, so the rows that are read here are those that are replaced.
-- $1 bigint[] player   $2 int[] board   $3 int[] posts that the board takes in a minute, at least 1
-- $4 timestamptz[] when
insert into post_times (board_id, player_id, posted_at)
select v.board_id, v.player_id, p.posted_at[greatest(1, cardinality(p.posted_at) + 1 - v.posts):]
  from unnest($1::bigint[], $2::int[], $3::int[], $4::timestamptz[]) v(player_id, board_id, posts, at)
  left join post_times t on t.board_id = v.board_id and t.player_id = v.player_id
 cross join lateral (select coalesce(t.posted_at, '{}') || v.at) p(posted_at)
on conflict (board_id, player_id) do update set posted_at = excluded.posted_at
