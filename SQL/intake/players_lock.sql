-- players_lock: the one lock for everything about a player, in key order, taken before the snapshot that the batch reads with.
-- $1 bigint[] players
select player_id from wallet where player_id = any($1::bigint[]) order by player_id for update
