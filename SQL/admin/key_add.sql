-- key_add: one more key, of a game or of an operator; only its hash is kept. An id that is known answers with the key
-- that it names, so that who sends it again can be told.
-- Outcome: added, exists, no-game, token-taken, bad-expiry; the number of the key that has the id.
-- $1 uuid id   $2 text admin or game   $3 text game slug, or null of an operator   $4 bytea hash   $5 text name
-- $6 text[] scopes   $7 timestamptz expires or null   $8 timestamptz now
with judged as materialized (
  select g.id as game_id,
         case
           when exists (select from game_key k where k.public_id = $1) then 'exists'
           when $2 = 'game' and g.id is null then 'no-game'
           when exists (select from game_key k where k.hash = $4) then 'token-taken'
           when $7::timestamptz <= $8 then 'bad-expiry'
           else 'added'
         end as outcome
    from (select 1) one left join game g on $2 = 'game' and g.slug = $3
), made as (
  insert into game_key (public_id, kind, game_id, hash, name, scopes, expires_at, added_at)
  select $1, $2, game_id, $4, $5, $6, $7, $8
    from judged
   where outcome = 'added'
  on conflict do nothing
  returning id
)
-- A twin that came at the same moment has the id, or the token, when nothing was made.
select case when outcome = 'added' and not exists (select from made) then 'exists' else outcome end,
       coalesce((select id from made), (select k.id from game_key k where k.public_id = $1))
  from judged
