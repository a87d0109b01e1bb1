-- score_note_remove: removes the name and the detail that came with a score. If the score is among the best posts, it
-- updates that row without a change, so that followers of the changes refresh the list.
-- $1 bigint player   $2 uuid score
with shown as (
  update best_post p set reached_at = p.reached_at where p.player_id = $1 and p.id = $2
)
delete from score_note where player_id = $1 and id = $2
