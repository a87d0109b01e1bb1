-- score_found: a score of a player, its state, and the bounds of its board.
-- $1 bigint player   $2 uuid score
select s.points, s.earned, coalesce(m.state, 'counted') as state, b.points_min, b.points_max
  from score s
  join board b on b.id = s.board_id
  left join score_state m on m.player_id = s.player_id and m.id = s.id
 where s.player_id = $1 and s.id = $2
