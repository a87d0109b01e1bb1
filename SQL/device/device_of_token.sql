-- device_of_token: the device that a token belongs to, with its player and game, and whether the player may not write.
-- $1 bytea token hash
select d.hash, p.id, g.slug, w.banned
  from device d
  join player p on p.id = d.player_id
  join game g on g.id = p.game_id
  join wallet w on w.player_id = p.id
 where d.token_hash = $1
