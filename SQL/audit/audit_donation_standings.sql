-- audit_donation_standings: every row of every donation board, by GROUP BY over the donations.
-- Rows compared, rows that differ, one of them.
with recomputed as (
  select g.board_id, g.row_id as player_id, sum(g.points) as points, max(g.reached_at) as reached_at
    from donation_board_ledger g
   group by g.board_id, g.row_id
), kept as (
  select s.board_id, s.player_id, s.points, s.reached_at, s.lowest_first
    from standing s join board b on b.id = s.board_id
   where b.kind <> 'score'
), compared as (
  select board_id, player_id,
         (k.points::numeric, k.reached_at, k.lowest_first) is distinct from (p.points, p.reached_at, false) as differs
    from kept k full join recomputed p using (board_id, player_id)
)
select count(*),
       count(*) filter (where differs),
       min('board ' || board_id || ', player ' || player_id) filter (where differs)
  from compared
