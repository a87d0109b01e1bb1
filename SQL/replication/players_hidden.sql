-- players_hidden: who is nowhere.
select p.id from player p where p.hidden
