-- standings_donate: adds donations to the places on the donation boards, where high is good. The caller has locked
-- the wallets, so the rows are nobody else's. An anonymous donation has a row of its own, with a negative id.
-- $1 int[] board   $2 bigint[] row id, none of a board twice   $3 bigint[] points   $4 timestamptz[] arrival
-- $5 bool[] whether the row must be there already, or else nothing of the batch is written (22012); null: it may be
merge into standing s
using unnest($1::int[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::bool[])
      v(board_id, row_id, points, reached_at, is_there)
   on s.board_id = v.board_id and s.player_id = v.row_id
 when matched and must(v.is_there is not false) then
   update set points = s.points + v.points, reached_at = greatest(s.reached_at, v.reached_at)
 when not matched and must(v.is_there is not true) then
   insert (board_id, player_id, points, reached_at, lowest_first)
   values (v.board_id, v.row_id, v.points, v.reached_at, false)
