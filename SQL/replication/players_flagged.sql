-- players_flagged: the players who chose a flag to show, and which.
-- returns player: Player.ID, flag: CountryFlag
select p.id, p.flag from player p where p.flag is not null
