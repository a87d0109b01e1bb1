-- provider_remove: removes a provider. Its identities stay linked. Outcome: set, no-provider.
-- $1 text game: Slug   $2 text slug: Slug
-- returns AdminOutcome
with removed as (
  delete from provider p using game g where g.slug = $1 and p.game_id = g.id and p.slug = $2 returning p.slug
)
select case when exists (select from removed) then 'set' else 'no-provider' end
