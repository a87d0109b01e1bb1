-- audit_donation_tallies: every day of every donation board, by GROUP BY over the donations.
-- Rows compared, rows that differ, one of them.
with recomputed as (
  select g.board_id, g.day, g.row_id as player_id, sum(g.points) as points, max(g.reached_at) as reached_at
    from donation_board_ledger g
   group by g.board_id, g.day, g.row_id
), kept as (
  select t.board_id, t.day, t.player_id, t.points, t.reached_at
    from tally t join board b on b.id = t.board_id
   where b.kind <> 'score'
), compared as (
  select board_id, day, player_id,
         (k.points::numeric, k.reached_at) is distinct from (p.points, p.reached_at) as differs
    from kept k full join recomputed p using (board_id, day, player_id)
)
select count(*),
       count(*) filter (where differs),
       min('board ' || board_id || ', ' || day || ', player ' || player_id) filter (where differs)
  from compared
