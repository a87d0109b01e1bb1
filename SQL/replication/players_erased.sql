-- players_erased: the players who were erased.
-- returns Player.ID
select e.player_id from erasure e
