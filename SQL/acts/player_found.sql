-- player_found: the game of a player, hidden or not, with what acts change of the player itself.
-- $1 bigint player
select g.slug, p.name, p.avatar, p.hidden from player p join game g on g.id = p.game_id where p.id = $1
