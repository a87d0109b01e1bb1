-- demo_copy_score_notes: what the games sent along with some of these scores.
-- returns nothing
copy score_note (player_id, id, detail) from stdin (format binary)
