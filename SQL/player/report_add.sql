-- report_add: keeps what one player reports of another, once. callers_lock has run in this transaction for the one who
-- is reported. No row when there is no such player, or it is hidden or was erased.
-- $1 bigint who is reported   $2 bigint who reports   $3 text why   $4 text words or null   $5 timestamptz now
with
judged as materialized (
  select p.id, exists (select from report r where r.player_id = $1 and r.reporter_id = $2) as is_known
    from player p
   where p.id = $1 and not p.hidden and p.name <> ''
),
added as (
  insert into report (player_id, reporter_id, why, text, reported_at)
  select j.id, $2, $3, $4, $5 from judged j where not j.is_known
)
select j.is_known from judged j
