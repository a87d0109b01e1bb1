-- audit_tallies: points and reached_at of every day of score boards, or of donation boards, by GROUP BY over their
-- ledger.
-- $1 text ledger, score or donation
-- returns AuditedRows(compared, differing, example)
with kept as (
  select t.board_id, t.day, t.player_id, t.points, t.reached_at
    from tally t left join board b on b.id = t.board_id
   -- Rows of a board that does not exist count as those of score boards.
   where (coalesce(b.kind, 'score') = 'score') = ($1 = 'score')
), recomputed as (
  select l.board_id, l.day, l.player_id, l.points, l.reached_at from ledger_tally l where l.ledger = $1
), compared as (
  select board_id, day, player_id,
         (k.points::numeric, k.reached_at) is distinct from (l.points, l.reached_at) as differs
    from kept k full join recomputed l using (board_id, day, player_id)
)
select count(*),
       count(*) filter (where differs),
       min('board ' || board_id || ', ' || day || ', player ' || player_id) filter (where differs)
  from compared
