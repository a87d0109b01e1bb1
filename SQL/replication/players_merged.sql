-- players_merged: the players who are one with another player, and with whom.
-- returns player: Player.ID, survivor: Player.ID
select m.player_id, m.survivor_id from merge m
