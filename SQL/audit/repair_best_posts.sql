-- repair_best_posts: forgets noted best posts that differ from the ledger. tallies_lock has run in this transaction.
-- Returns the number of rows changed.
with gone as (
  delete from best_posts k
   where not exists (
           select
             from best_posts_proof l
            where l.player_id = k.player_id and l.board_id = k.board_id and l.ids = k.ids)
  returning 1
)
select count(*) from gone
