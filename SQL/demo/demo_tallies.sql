-- demo_tallies: new players' days on score boards, as the ledger makes them.
-- $1 bigint[] players
-- returns nothing
insert into tally (board_id, day, player_id, points, reached_at)
select l.board_id, l.day, l.player_id, l.points, l.reached_at
  from ledger_tally l
 where l.player_id = any($1::bigint[])
 order by l.board_id, l.day, l.player_id
