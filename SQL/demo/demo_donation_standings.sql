-- demo_donation_standings: new players' standings on donation boards, by GROUP BY over the donations. None of them was
-- merged.
-- $1 bigint[] players
-- returns nothing
insert into standing (board_id, player_id, points, reached_at, lowest_first)
select g.board_id, coalesce(g.row_id, g.player_id), sum(g.points), max(g.reached_at), g.lowest_first
  from donation_board_row g
 where g.player_id = any($1::bigint[])
 group by g.board_id, coalesce(g.row_id, g.player_id), g.lowest_first
 order by g.board_id, coalesce(g.row_id, g.player_id)
