-- audit_tallies: points and reached_at of every day of a score board, by GROUP BY over the ledger.
-- Rows compared, rows that differ, one of them.
with kept as (
  select t.board_id, t.day, t.player_id, t.points, t.reached_at
    from tally t left join board b on b.id = t.board_id
   where b.kind = 'score' or b.id is null    -- rows of a board that does not exist, too
), compared as (
  select board_id, day, player_id,
         (k.points::numeric, k.reached_at) is distinct from (l.points, l.reached_at) as differs
    from kept k full join ledger_tally l using (board_id, day, player_id)
)
select count(*),
       count(*) filter (where differs),
       min('board ' || board_id || ', ' || day || ', player ' || player_id) filter (where differs)
  from compared
