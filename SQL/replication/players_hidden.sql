-- players_hidden: the players who are hidden from all rankings.
select p.id from player p where p.hidden
