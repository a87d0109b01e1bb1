-- tallies_donate: adds donations to the days of the donation boards.
-- $1 int[] board   $2 date[] day   $3 bigint[] row id   $4 bigint[] points   $5 timestamptz[] arrival
insert into tally as t (board_id, day, player_id, points, reached_at)
select v.board_id, v.day, v.player_id, v.points, v.reached_at
  from unnest($1::int[], $2::date[], $3::bigint[], $4::bigint[], $5::timestamptz[])
       v(board_id, day, player_id, points, reached_at)
on conflict (board_id, day, player_id) do update
   set points = t.points + excluded.points, reached_at = greatest(t.reached_at, excluded.reached_at)
