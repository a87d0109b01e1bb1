-- players_merged: the players who are one with another player, and with whom.
select m.player_id, m.survivor_id from merge m
