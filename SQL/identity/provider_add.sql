-- provider_add: adds a sign-in provider to a game.
-- Outcome: added, exists, no-game, full (the game has reached its limit).
-- $1 text game: Slug   $2 text slug: Slug   $3 text kind: IdentityProvider.Kind   $4 text[] audiences
-- $5 text issuer: String?   $6 text jwks: String?   $7 timestamptz now
-- $8 bigint = Limits.providersOfGameMax, providers of a game, at most
-- returns AdminOutcome
with judged as materialized (
  select g.id as game_id,
         case
           when g.id is null then 'no-game'
           when exists (select from provider p where p.game_id = g.id and p.slug = $2) then 'exists'
           when (select count(*) from provider p where p.game_id = g.id) >= $8 then 'full'
           else 'added'
         end as outcome
    from (select 1) one left join game g on g.slug = $1
), made as (
  insert into provider (game_id, slug, kind, audiences, issuer, jwks, added_at)
  select game_id, $2, $3, $4, $5, $6, $7 from judged where outcome = 'added'
  on conflict do nothing
  returning slug
)
-- If no row was made, a concurrent statement has taken the slug.
select case when outcome = 'added' and not exists (select from made) then 'exists' else outcome end from judged
