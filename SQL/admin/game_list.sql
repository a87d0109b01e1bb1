-- game_list: all games by slug; a salt is a secret, so only whether there is one.
select g.slug, g.name, g.classic, g.salt is not null from game g order by g.slug
