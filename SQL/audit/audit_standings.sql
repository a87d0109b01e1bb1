-- audit_standings: points and reached_at of every row of score boards, or of donation boards, by GROUP BY over their
-- ledger.
-- $1 text ledger, score or donation
-- returns AuditedRows(compared, differing, example)
with kept as (
  select s.board_id, s.player_id, s.points, s.reached_at, s.lowest_first
    from standing s left join board b on b.id = s.board_id
   -- Rows of a board that does not exist count as those of score boards.
   where (coalesce(b.kind, 'score') = 'score') = ($1 = 'score')
), recomputed as (
  select l.board_id, l.player_id, l.points, l.reached_at, l.lowest_first from ledger_standing l where l.ledger = $1
), compared as (
  select board_id, player_id,
         (k.points::numeric, k.reached_at, k.lowest_first)
         is distinct from (l.points, l.reached_at, l.lowest_first) as differs
    from kept k full join recomputed l using (board_id, player_id)
)
select count(*),
       count(*) filter (where differs),
       min('board ' || board_id || ', player ' || player_id) filter (where differs)
  from compared
