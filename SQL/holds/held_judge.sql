-- held_judge: notes what a game says of a score that waits for it. A rule that holds it, too, does so still.
-- $1 bigint whose row the score is   $2 uuid score   $3 text verdict   $4 bytea hash of the key   $5 timestamptz now
update held_score h
   set judge_until = null, verdict = $3, judged_at = $5,
       judged_by = (select k.id from game_key k where k.hash = $4),
       why = case when h.why = '{judge}' then h.why else array_remove(h.why, 'judge') end
 where h.player_id = $1 and h.id = $2
