-- device_players_lock: the lock of the player whom a device speaks for, if there is one already.
-- $1 bytea device hash
select w.player_id from device d join wallet w on w.player_id = d.player_id where d.hash = $1 for update of w
