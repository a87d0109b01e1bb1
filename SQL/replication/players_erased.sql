-- players_erased: the players who were erased.
select e.player_id from erasure e
