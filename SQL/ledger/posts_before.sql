-- posts_before: when players into whom others were merged posted to boards whose rules go by that: their last post, and
-- the earliest of as many as a board takes in a minute. wallets_lock has run earlier in this transaction.
-- Rows come in the order of the players.
-- $1 bigint[] players: [Player.ID], player of each score   $2 int[] boards: [Board.ID], its board
-- $3 int[] rates, the posts that each board takes in a minute, 1 or more
-- returns PostTimes(last, earliest)
select max(t.at) as last, case when count(t.at) = v.posts then min(t.at) end as earliest
  from unnest($1::bigint[], $2::int[], $3::int[]) with ordinality v(player_id, board_id, posts, n)
  left join lateral (
         select r.at
           from unnest(members(v.player_id)) m(id)
           join wallet p on p.player_id = m.id
          cross join unnest(p.timed_boards, p.timed_at) r(board_id, at)
          where r.board_id = v.board_id
          order by r.at desc
          limit v.posts
       ) t on true
 group by v.n, v.posts
 order by v.n
