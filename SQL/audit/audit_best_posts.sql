-- audit_best_posts: compares the stored best posts with the ledger.
-- Returns rows compared, rows that differ, and one of those.
with compared as (
  select player_id, board_id, id, (k.points, k.reached_at) is distinct from (l.points, l.reached_at) as differs
    from best_post k full join ledger_best_post l using (player_id, board_id, id)
)
select count(*),
       count(*) filter (where differs),
       min('board ' || board_id || ', player ' || player_id) filter (where differs)
  from compared
