-- standings_move: changes the places of players on boards. Whoever runs it has locked the wallets, so the rows are
-- there and are nobody else's.
-- $1 int[] board   $2 bigint[] player   $3 bigint[] points   $4 timestamptz[] reached
update standing s
   set points = v.points, reached_at = v.reached_at
  from unnest($1::int[], $2::bigint[], $3::bigint[], $4::timestamptz[]) v(board_id, player_id, points, reached_at)
 where s.board_id = v.board_id and s.player_id = v.player_id
