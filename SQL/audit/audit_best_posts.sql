-- audit_best_posts: compares the noted best posts with the ledger.
-- Returns rows compared, rows that differ, and one of those.
select count(*),
       count(*) filter (where k.ids is distinct from l.ids),
       min('board ' || k.board_id || ', player ' || k.player_id) filter (where k.ids is distinct from l.ids)
  from best_posts k
  left join best_posts_proof l using (player_id, board_id)
