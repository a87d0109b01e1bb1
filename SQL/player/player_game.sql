-- player_game: the game of a player who is neither hidden nor unlisted.
-- $1 bigint player: Player.ID
-- returns slug: Slug, name: String
select g.slug, g.name
  from player p join game g on g.id = p.game_id
 where p.id = $1 and not p.hidden and not p.unlisted
