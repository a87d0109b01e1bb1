-- player_profile: what anybody may see of a player; a hidden player is not there.
-- $1 bigint player   $2 text the game's slug, or null for any
select p.id, p.name, p.avatar
  from player p join game g on g.id = p.game_id
 where p.id = $1 and g.slug = coalesce($2, g.slug) and not p.hidden
