-- held_let: lets scores wait for their game no more, and brings those that nothing else holds. The wallet is locked.
-- $1 bigint[] whose row each score is   $2 uuid[] score   $3 timestamptz now
with let as (
  update held_score h
     set judge_until = null, why = case when h.why = '{judge}' then h.why else array_remove(h.why, 'judge') end
    from unnest($1::bigint[], $2::uuid[]) v(player_id, id)
   where h.player_id = v.player_id and h.id = v.id and h.judge_until <= $3
  returning h.player_id, h.id, h.why
)
select l.player_id, l.id
  from let l join score_state m on m.player_id = l.player_id and m.id = l.id
 where l.why = '{judge}' and m.state = 'held'
