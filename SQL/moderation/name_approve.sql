-- name_approve: shows the name that a player has asked for. The wallet is locked.
-- $1 bigint player: Player.ID
-- returns nothing
update player set name = asked_name, asked_name = null, asked_at = null, name_waits = false
 where id = $1 and asked_name is not null
