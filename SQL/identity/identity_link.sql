-- identity_link: links an identity to the player of a token. callers_lock has run in this transaction. No row when
-- there is no such token.
-- Outcome: linked, known, taken (it is another player's), second (the player has another one of this provider), full.
-- $1 bytea token: TokenHash   $2 bytea identity: IdentityHash   $3 text provider: Slug   $4 timestamptz now
-- $5 date today: Day   $6 bigint = Limits.identitiesOfPlayerMax, identities of a player, at most
-- returns LinkOutcome
with judged as materialized (
  select d.player_id,
         case
           when i.player_id = d.player_id then 'known'
           when i.player_id is not null then 'taken'
           when exists (select from identity o where o.player_id = d.player_id and o.provider = $3) then 'second'
           when (select count(*) from identity o where o.player_id = d.player_id) >= $6 then 'full'
           else 'linked'
         end as outcome
    from device d
    left join identity i on i.hash = $2
   where d.token_hash = $1
), made as (
  insert into identity (hash, player_id, provider, linked_at, used_on)
  select $2, j.player_id, $3, $4, $5 from judged j where j.outcome = 'linked'
  on conflict do nothing
  returning hash
)
-- Another player has linked it at the same moment when nothing was made.
select case when j.outcome = 'linked' and not exists (select from made) then 'taken' else j.outcome end from judged j
