-- game_lock: lets no other change of a game's settings begin until the transaction ends, so that of two changes that
-- expect the same version one is told.
-- $1 text slug: Slug
-- returns Game.ID
select g.id from game g where g.slug = $1 for update
