-- demo_standings: new players' standings on all boards, as the ledgers make them.
-- $1 bigint[] players
-- returns nothing
insert into standing (board_id, player_id, points, reached_at, lowest_first)
select l.board_id, l.player_id, l.points, l.reached_at, l.lowest_first
  from ledger_rollup(false, false, $1::bigint[]) l
 order by l.board_id, l.player_id
