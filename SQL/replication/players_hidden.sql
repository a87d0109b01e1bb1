-- players_hidden: the players who are hidden from all rankings.
-- returns Player.ID
select p.id from player p where p.hidden
