-- audit_best_posts: compares the noted best posts with the ledger.
-- returns AuditedRows(compared, differing, example)
select count(*),
       count(*) filter (where k.ids <> l.ids),
       min('board ' || k.board_id || ', player ' || k.player_id) filter (where k.ids <> l.ids)
  from best_posts k
  cross join lateral best_post_ids(k.player_id, k.board_id, k.until) l
