-- game_list: games by slug, with the version of their settings; a salt is a secret, so only whether there is one.
-- $1 text slug: Slug? = nil, null for all
-- returns GameListing(slug, name, classic, hasSalt, names, refusedWords, takesEmail, version)
select g.slug, g.name, g.classic, g.salt is not null, g.names, g.refused_words, g.takes_email, g.xmin::text
  from game g
 where $1::text is null or g.slug = $1
 order by g.slug
