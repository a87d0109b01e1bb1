-- audit_standings: points and reached_at of every row of a score board, by GROUP BY over the ledger.
-- Rows compared, rows that differ, one of them.
with kept as (
  select s.board_id, s.player_id, s.points, s.reached_at, s.lowest_first
    from standing s left join board b on b.id = s.board_id
   where b.kind = 'score' or b.id is null    -- rows of a board that does not exist, too
), compared as (
  select board_id, player_id,
         (k.points::numeric, k.reached_at, k.lowest_first)
         is distinct from (l.points, l.reached_at, l.lowest_first) as differs
    from kept k full join ledger_standing l using (board_id, player_id)
)
select count(*),
       count(*) filter (where differs),
       min('board ' || board_id || ', player ' || player_id) filter (where differs)
  from compared
