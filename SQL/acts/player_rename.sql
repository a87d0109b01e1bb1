-- player_rename: gives a player another name. What the player calls itself next may have to wait for approval.
-- $1 bigint player   $2 text name   $3 bool whether it has to
update player set name = $2, asked_name = null, asked_at = null, name_waits = $3 where id = $1
