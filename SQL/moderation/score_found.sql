-- score_found: a score of a player or of those who are one with it, the player's own first: whose row it is, its state,
-- the bounds of its board, and until when its owner is not told that it was held.
-- $1 bigint player   $2 uuid score
select s.player_id as owner_id, s.points, s.earned, coalesce(m.state, 'counted') as state, b.points_min, b.points_max,
       h.secret_until
  from score s
  join board b on b.id = s.board_id
  left join score_state m on m.player_id = s.player_id and m.id = s.id
  left join held_score h on h.player_id = s.player_id and h.id = s.id
 where s.player_id = any(members($1)) and s.id = $2
 order by s.player_id = $1 desc, s.player_id
 limit 1
