-- demo_giving_standings: new players' standings on giving boards, by GROUP BY over the donations.
-- $1 bigint[] players
insert into standing (board_id, player_id, points, reached_at, lowest_first)
select g.board_id, g.row_id, sum(g.points), max(g.reached_at), g.lowest_first
  from giving_ledger g
 where g.player_id = any($1::bigint[])
 group by g.board_id, g.row_id, g.lowest_first
 order by g.board_id, g.row_id
