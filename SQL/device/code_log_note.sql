-- code_log_note: links a join code to its log entry, so that the entry about its device can name that one.
-- $1 bigint player: Player.ID   $2 bytea code: CodeHash   $3 bigint entry, number of the entry
-- returns nothing
update code c set log_entry = $3 where c.player_id = $1 and c.kind = 'join' and c.hash = $2
