-- player_rename: gives a player another name.
-- $1 bigint player   $2 text name
update player set name = $2 where id = $1
