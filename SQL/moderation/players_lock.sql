-- players_lock: locks the rows of players that an action shows or hides, before the log is locked.
-- $1 bigint[] players: [Player.ID]
-- returns Player.ID
select p.id from player p where p.id = any($1::bigint[]) order by p.id for update
