-- standings_donate: adds donations to the places on the donation boards, where high is good. wallets_lock has run
-- earlier in this transaction, so nobody else changes these rows. An anonymous donation has a row of its own, with a
-- negative id.
-- $1 int[] board   $2 bigint[] row id, none of a board twice   $3 bigint[] points   $4 timestamptz[] arrival
with donated as (
  select * from unnest($1::int[], $2::bigint[], $3::bigint[], $4::timestamptz[]) v(board_id, row_id, points, reached_at)
), moved as (
  update standing s
     set points = s.points + v.points, reached_at = greatest(s.reached_at, v.reached_at)
    from donated v
   where s.board_id = v.board_id and s.player_id = v.row_id and v.row_id > 0
  returning s.board_id, s.player_id
)
insert into standing (board_id, player_id, points, reached_at, lowest_first)
select v.board_id, v.row_id, v.points, v.reached_at, false
  from donated v
 where not exists (select from moved m where m.board_id = v.board_id and m.player_id = v.row_id)
