-- demo_donation_tallies: new players' days on donation boards, by GROUP BY over the donations. None of them was merged.
-- $1 bigint[] players
-- returns nothing
insert into tally (board_id, day, player_id, points, reached_at)
select g.board_id, g.day, coalesce(g.row_id, g.player_id), sum(g.points), max(g.reached_at)
  from donation_board_row g
 where g.player_id = any($1::bigint[])
 group by g.board_id, g.day, coalesce(g.row_id, g.player_id)
 order by g.board_id, g.day, coalesce(g.row_id, g.player_id)
