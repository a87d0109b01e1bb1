-- code_log_note: says which entry of the log tells of a join code, so that the one about its device can name that.
-- $1 bigint player   $2 bytea code hash   $3 bigint number of the entry
update code c set log_entry = $3 where c.player_id = $1 and c.kind = 'join' and c.hash = $2
