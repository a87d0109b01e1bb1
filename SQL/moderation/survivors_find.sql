-- survivors_find: whom some players are by now: themselves, or those into whom they were merged. One who does not exist
-- is left out.
-- $1 bigint[] players: [Player.ID]
-- returns player: Player.ID, survivor: Player.ID
select o.player_id, o.survivor_id from ledger_owner o where o.player_id = any($1::bigint[])
