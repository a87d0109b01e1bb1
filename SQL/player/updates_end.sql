-- updates_end: ends a player's wish for updates by e-mail; what was never asked for, or is ended, stays as it is.
-- $1 bigint player: Player.ID
-- returns nothing
update player set wants_updates = false, updates_since = null, updates_source = null
 where id = $1 and wants_updates
