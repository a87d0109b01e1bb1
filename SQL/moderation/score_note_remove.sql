-- score_note_remove: removes the name and the detail that came with a score. It updates the player's row without a
-- change, so that followers of the changes refresh what shows them.
-- $1 bigint player   $2 uuid score
with posted as (
  update player p set name = p.name where p.id = $1
)
delete from score_note where player_id = $1 and id = $2
