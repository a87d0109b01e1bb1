-- members_find: everybody who is one with a player, itself too.
-- $1 bigint survivor: Player.ID
-- returns Player.ID
select o.player_id from ledger_owner o where o.survivor_id = $1 order by o.player_id
