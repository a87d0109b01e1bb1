-- player_profile: what anybody may see of a player; a hidden player is not there.
-- $1 bigint player   $2 int game
select p.id, p.name, p.avatar from player p where p.id = $1 and p.game_id = $2 and not p.hidden
