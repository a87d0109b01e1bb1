-- token_rotate: replaces a device's token, and deletes all codes of its player: a thief with the old token may have
-- made them. A new device beside an older one deletes only the codes that it asked for, because it may be the thief's.
-- callers_lock has run in this transaction. No row if there is no such token.
-- Outcome: rotated, known (the token is the one that it has), taken (the token is another device's).
-- $1 bytea token hash   $2 bytea hash of the new token   $3 date today   $4 timestamptz now
-- $5 timestamptz since when a device is new
with
judged as materialized (
  select d.hash, d.player_id,
         coalesce(d.owned_since, d.registered_at) > $5 and exists (
           select from device o
            where o.player_id = d.player_id and o.token_hash is not null and o.registered_at < d.registered_at
         ) as is_new,
         case
           when $1::bytea = $2::bytea then 'known'
           when exists (select from device o where o.token_hash = $2) then 'taken'
           else 'rotated'
         end as outcome
    from device d
   where d.token_hash = $1
),
ended as (
  delete from code c
   using judged j
   where j.outcome = 'rotated' and c.player_id = j.player_id and (not j.is_new or c.device = j.hash)
  returning c.expires_at
),
rotated as (
  update device d
     set token_hash = $2, seen_on = $3
    from judged j
   where j.outcome = 'rotated' and d.hash = j.hash
)
select j.outcome, j.hash,
       (select count(*) from ended e where e.expires_at is null or e.expires_at > $4) as codes_ended
  from judged j
