-- tallies_move: changes the places of players on a day. Whoever runs it has locked the wallets, so the rows are there
-- and are nobody else's.
-- $1 int[] board   $2 date[] day   $3 bigint[] player   $4 bigint[] points   $5 timestamptz[] reached
update tally t
   set points = v.points, reached_at = v.reached_at
  from unnest($1::int[], $2::date[], $3::bigint[], $4::bigint[], $5::timestamptz[])
       v(board_id, day, player_id, points, reached_at)
 where t.board_id = v.board_id and t.day = v.day and t.player_id = v.player_id
