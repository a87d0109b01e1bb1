-- provider_set: changes the settings that are not null; an empty jwks clears it. Kind and issuer are fixed, because
-- identities belong to an issuer. game_lock has run earlier in this transaction. Outcome: set, stale, no-provider.
-- $1 text game: Slug   $2 text slug: Slug   $3 text[] audiences: [String]?   $4 text jwks: String?, '' clears, or null
-- $5 text version: String?, the expected version, or null for any
-- returns AdminOutcome
with changed as (
  update provider p
     set audiences = coalesce($3, p.audiences),
         jwks = case when $4::text is null then p.jwks else nullif($4, '') end
    from game g
   where g.slug = $1 and p.game_id = g.id and p.slug = $2 and ($5::text is null or p.xmin::text = $5)
  returning p.slug
)
select case
         when exists (select from changed) then 'set'
         when exists (select from provider p join game g on g.id = p.game_id where g.slug = $1 and p.slug = $2)
           then 'stale'
         else 'no-provider'
       end
