-- score_note_remove: removes the name and the detail that came with a score.
-- $1 bigint player   $2 uuid score
delete from score_note where player_id = $1 and id = $2
