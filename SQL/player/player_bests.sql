-- player_bests: where a player stands on the boards that are played now: points, and when they were reached.
-- $1 bigint player: Player.ID
-- returns Best(game, board, points, reachedAt)
select g.slug, b.slug, s.points, s.reached_at
  from player p join game g on g.id = p.game_id
  join board b on b.kind = 'score' and b.game_id = g.id and b.season_ended_at is null
  join standing s on s.board_id = b.id and s.player_id = p.id
 where p.id = $1
 order by b.slug
