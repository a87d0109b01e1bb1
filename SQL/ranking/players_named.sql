-- players_named: players of a game with this name, in any case; hidden ones are not there.
-- $1 text the game's slug   $2 text name   $3 int rows, 1...20
select p.id
  from player p join game g on g.id = p.game_id
 where g.slug = $1 and lower(p.name) = lower($2) and not p.hidden
 order by p.id
 limit $3::int
