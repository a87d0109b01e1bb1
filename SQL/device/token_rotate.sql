-- token_rotate: gives a device another token. callers_lock has run in this transaction. No row when there is no such
-- token.
-- Outcome: rotated, known (the token is the one that it has), taken (the token is another device's).
-- $1 bytea token hash   $2 bytea hash of the new token   $3 date today
with
judged as materialized (
  select d.hash,
         case
           when $1::bytea = $2::bytea then 'known'
           when exists (select from device o where o.token_hash = $2) then 'taken'
           else 'rotated'
         end as outcome
    from device d
   where d.token_hash = $1
),
rotated as (
  update device d
     set token_hash = $2, seen_on = $3
    from judged j
   where j.outcome = 'rotated' and d.hash = j.hash
)
select j.outcome, j.hash from judged j
