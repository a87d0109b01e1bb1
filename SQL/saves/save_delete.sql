-- save_delete: empties a slot of a token's player, with its earlier versions. callers_lock has run in this transaction.
-- No row when there is no such token.
-- Outcome: deleted, no-save, stale (the slot has something else than what the caller has seen), banned.
-- $1 bytea token hash   $2 text slot   $3 bytea etag that the slot has, as the caller has seen it
with
judged as materialized (
  select d.player_id, c.etag,
         case
           when w.banned then 'banned'
           when c.etag is null then 'no-save'
           when c.etag is distinct from $3::bytea then 'stale'
           else 'deleted'
         end as outcome
    from device d
    join wallet w on w.player_id = d.player_id
    left join lateral (
           select s.etag
             from save s
            where s.player_id = d.player_id and s.slot = $2
            order by s.revision desc
            limit 1
         ) c on true
   where d.token_hash = $1
),
deleted as (
  delete from save s using judged j where j.outcome = 'deleted' and s.player_id = j.player_id and s.slot = $2
)
select j.outcome, j.etag from judged j
