-- plan_end: ends the plan of a token's player. callers_lock has run in this transaction. No row when there is no such
-- token.
-- Outcome: ended, no-plan, or stale (the player has another plan than the caller has seen).
-- $1 bytea token hash   $2 text etag of the plan that the caller has seen   $3 timestamptz now
with
judged as materialized (
  select d.player_id, plan_etag(o) as etag,
         case
           when o.version is null then 'no-plan'
           when plan_etag(o) <> $2 then 'stale'
           else 'ended'
         end as outcome
    from device d
    left join plan o on o.player_id = d.player_id and o.until is null
   where d.token_hash = $1
),
ended as (
  update plan o set until = $3 from judged j where j.outcome = 'ended' and o.player_id = j.player_id and o.until is null
)
select j.outcome, j.etag from judged j
