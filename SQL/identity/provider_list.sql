-- provider_list: the sign-in providers of a game, by slug, with the version of their settings.
-- $1 text game: Slug   $2 text slug: Slug? = nil, null for all
-- returns ProviderListing
select p.slug, p.kind, p.audiences, p.issuer, p.jwks, p.xmin::text
  from provider p
  join game g on g.id = p.game_id
 where g.slug = $1 and ($2::text is null or p.slug = $2)
 order by p.slug
