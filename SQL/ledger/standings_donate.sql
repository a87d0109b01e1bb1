-- standings_donate: adds donations to the places on the donation boards, where high is good.
-- $1 int[] board   $2 bigint[] row id   $3 bigint[] points   $4 timestamptz[] arrival
insert into standing as s (board_id, player_id, points, reached_at, lowest_first)
select v.board_id, v.player_id, v.points, v.reached_at, false
  from unnest($1::int[], $2::bigint[], $3::bigint[], $4::timestamptz[])
       v(board_id, player_id, points, reached_at)
on conflict (board_id, player_id) do update
   set points = s.points + excluded.points, reached_at = greatest(s.reached_at, excluded.reached_at)
