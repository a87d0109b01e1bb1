-- demo_standings: new players' standings on score boards, as the ledger makes them.
-- $1 bigint[] players
-- returns nothing
insert into standing (board_id, player_id, points, reached_at, lowest_first)
select l.board_id, l.player_id, l.points, l.reached_at, l.lowest_first
  from ledger_standing l
 where l.player_id = any($1::bigint[])
 order by l.board_id, l.player_id
