-- standings_add: adds the first places of players on boards.
-- $1 int[] board   $2 bigint[] player   $3 bigint[] points   $4 timestamptz[] reached   $5 bool[] whether low is good
insert into standing (board_id, player_id, points, reached_at, lowest_first)
select v.board_id, v.player_id, v.points, v.reached_at, v.lowest_first
  from unnest($1::int[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::bool[])
       v(board_id, player_id, points, reached_at, lowest_first)
