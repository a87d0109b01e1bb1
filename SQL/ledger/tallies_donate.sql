-- tallies_donate: adds donations to the days of the donation boards. wallets_lock has run earlier in this transaction,
-- so nobody else changes these rows. An anonymous donation has a row of its own, with a negative id.
-- $1 int[] board   $2 date[] day   $3 bigint[] row id, none of a board twice   $4 bigint[] points
-- $5 timestamptz[] arrival
with donated as (
  select *
    from unnest($1::int[], $2::date[], $3::bigint[], $4::bigint[], $5::timestamptz[])
         v(board_id, day, row_id, points, reached_at)
), moved as (
  update tally t
     set points = t.points + v.points, reached_at = greatest(t.reached_at, v.reached_at)
    from donated v
   where t.board_id = v.board_id and t.day = v.day and t.player_id = v.row_id and v.row_id > 0
  returning t.board_id, t.player_id
)
insert into tally (board_id, day, player_id, points, reached_at)
select v.board_id, v.day, v.row_id, v.points, v.reached_at
  from donated v
 where not exists (select from moved m where m.board_id = v.board_id and m.player_id = v.row_id)
