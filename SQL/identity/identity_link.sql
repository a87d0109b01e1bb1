-- identity_link: links an identity to the player of a token. callers_lock has run in this transaction. If the device
-- came with a merge, the identity leaves with it when the merge is undone. No row if there is no such token.
-- Outcome: linked, known, taken (by another player), second (the player has another one of this provider), full. The
-- other columns describe the player's identity, which another provider of the same issuer may have linked.
-- $1 bytea token: TokenHash   $2 bytea identity: IdentityHash   $3 text provider: Slug   $4 timestamptz now
-- $5 date today: Day   $6 bigint = Limits.identitiesOfPlayerMax, identities of a player, at most
-- returns outcome: LinkOutcome, provider: Slug, linkedAt: Instant, usedOn: Day
with judged as materialized (
  select d.player_id, d.merged_from, i.provider, i.linked_at, i.used_on,
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
  insert into identity (hash, player_id, provider, linked_at, used_on, merged_from)
  select $2, j.player_id, $3, $4, $5, j.merged_from from judged j where j.outcome = 'linked'
  on conflict do nothing
  returning hash
)
-- If no row was made, another player has linked it concurrently.
select case when j.outcome = 'linked' and not exists (select from made) then 'taken' else j.outcome end as outcome,
       coalesce(j.provider, $3) as provider, coalesce(j.linked_at, $4) as linked_at, coalesce(j.used_on, $5) as used_on
  from judged j
