-- tallies_donate: adds donations to the days of the donation boards. The caller has locked the wallets, so the rows are
-- nobody else's. An anonymous donation has a row of its own, with a negative id.
-- $1 int[] board   $2 date[] day   $3 bigint[] row id, none of a board twice   $4 bigint[] points
-- $5 timestamptz[] arrival
merge into tally t
using unnest($1::int[], $2::date[], $3::bigint[], $4::bigint[], $5::timestamptz[])
      v(board_id, day, row_id, points, reached_at)
   on t.board_id = v.board_id and t.day = v.day and t.player_id = v.row_id
 when matched then
   update set points = t.points + v.points, reached_at = greatest(t.reached_at, v.reached_at)
 when not matched then
   insert (board_id, day, player_id, points, reached_at)
   values (v.board_id, v.day, v.row_id, v.points, v.reached_at)
