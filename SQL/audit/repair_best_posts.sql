-- repair_best_posts: forgets noted best posts that differ from the ledger. tallies_lock has run in this transaction.
-- returns Int64
with gone as (
  delete from best_posts k
   where k.ids <> (select l.ids from best_post_ids(k.player_id, k.board_id, k.until) l)
  returning 1
)
select count(*) from gone
