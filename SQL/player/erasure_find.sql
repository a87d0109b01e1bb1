-- erasure_find: whether a player was erased; a row if so.
-- $1 bigint player: Player.ID
-- returns Player.ID
select e.player_id from erasure e where e.player_id = $1
