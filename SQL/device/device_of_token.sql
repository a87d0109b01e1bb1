-- device_of_token: the device that a token belongs to, with its player and game.
-- $1 bytea token hash
select d.hash, p.id, g.slug
  from device d
  join player p on p.id = d.player_id
  join game g on g.id = p.game_id
 where d.token_hash = $1
