-- standings_post: changes the places of players on boards, or adds their first ones. A place must still be what the
-- batch was judged by, or nothing of it is written (22012).
-- $1 int[] board   $2 bigint[] player   $3 bigint[] points   $4 timestamptz[] reached   $5 bool[] whether low is good
-- $6 bigint[] points before, or null for none   $7 timestamptz[] when those were reached, or null
merge into standing s
using unnest($1::int[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::bool[], $6::bigint[], $7::timestamptz[])
      v(board_id, player_id, points, reached_at, lowest_first, was, was_reached_at)
   on s.board_id = v.board_id and s.player_id = v.player_id
 when matched and must(s.points = v.was and s.reached_at = v.was_reached_at)
              and (s.points <> v.points or s.reached_at <> v.reached_at) then
   update set points = v.points, reached_at = v.reached_at
 when not matched and must(v.was is null) then
   insert (board_id, player_id, points, reached_at, lowest_first)
   values (v.board_id, v.player_id, v.points, v.reached_at, v.lowest_first)
