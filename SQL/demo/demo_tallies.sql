-- demo_tallies: new players' days on all boards, as the ledgers make them.
-- $1 bigint[] players
-- returns nothing
insert into tally (board_id, day, player_id, points, reached_at)
select l.board_id, l.day, l.player_id, l.points, l.reached_at
  from ledger_rollup(true, false, $1::bigint[]) l
 order by l.board_id, l.day, l.player_id
