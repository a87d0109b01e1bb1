-- tallies_add: adds the first places of players on a day.
-- $1 int[] board   $2 date[] day   $3 bigint[] player   $4 bigint[] points   $5 timestamptz[] reached
insert into tally (board_id, day, player_id, points, reached_at)
select v.board_id, v.day, v.player_id, v.points, v.reached_at
  from unnest($1::int[], $2::date[], $3::bigint[], $4::bigint[], $5::timestamptz[])
       v(board_id, day, player_id, points, reached_at)
