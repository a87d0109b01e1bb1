-- team_external_find: a team by what the game's server calls it.
-- $1 text game: Slug   $2 text external
-- returns Team.ID
select t.id from game g join team t on t.game_id = g.id where g.slug = $1 and t.external = $2
