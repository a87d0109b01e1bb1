-- score_note_remove: takes down the name and the detail that came with a score. If it is kept among the best, that row
-- is written anew as it is, so that those who follow the changes show the list anew.
-- $1 bigint player   $2 uuid score
with shown as (
  update best_post p set reached_at = p.reached_at where p.player_id = $1 and p.id = $2
)
delete from score_note where player_id = $1 and id = $2
