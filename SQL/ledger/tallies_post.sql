-- tallies_post: changes the places of players on a day, or adds their first ones. The caller has locked the
-- wallets, so the rows are nobody else's.
-- $1 int[] board   $2 date[] day   $3 bigint[] player   $4 bigint[] points   $5 timestamptz[] reached
-- $6 int[] what becomes of the points before: 0 they are replaced, 1 added to, 2 kept unless the new ones are higher,
-- 3 kept unless they are lower. Of equal points the earlier ones are kept. A sum that has no negative ends it with
-- 22012.
merge into tally t
using unnest($1::int[], $2::date[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::int[])
      v(board_id, day, player_id, points, reached_at, change)
   on t.board_id = v.board_id and t.day = v.day and t.player_id = v.player_id
 when matched and must(v.change <> 1 or t.points + v.points > -9223372036854775808)
              and (v.change < 2 or v.change = 2 and v.points > t.points or v.change = 3 and v.points < t.points
                   or v.points = t.points and v.reached_at < t.reached_at) then
   update set points = case v.change when 1 then t.points + v.points else v.points end,
              reached_at = case v.change when 1 then greatest(t.reached_at, v.reached_at) else v.reached_at end
 when not matched then
   insert (board_id, day, player_id, points, reached_at)
   values (v.board_id, v.day, v.player_id, v.points, v.reached_at)
