-- report_add: keeps what one player reports of another, once; of all that is reported of a player the newest words. No
-- row when there is no such player, or it is hidden or was erased, or the reporter was.
-- Nobody's wallet is locked, so that reports delay no post. Who is being erased is waited for.
-- $1 bigint who is reported   $2 bigint who reports   $3 text why   $4 text words or null   $5 timestamptz now
-- $6 int words that are kept, at least 1
with
people as materialized (
  select p.id, p.hidden, p.name from player p where p.id in ($1, $2) order by p.id for share
),
judged as materialized (
  select p.id
    from people p
   where p.id = $1 and not p.hidden and p.name <> '' and exists (select from people r where r.id = $2 and r.name <> '')
),
added as (
  insert into report (player_id, reporter_id, why, text, reported_at)
  select j.id, $2, $3, $4, $5 from judged j
  on conflict (player_id, reporter_id) do nothing
  returning player_id
),
oldest as materialized (
  select r.reported_at, r.reporter_id
    from report r
   where r.player_id = $1 and r.text is not null
   order by r.reported_at desc, r.reporter_id desc
  offset $6::int - 1 limit 1
),
shortened as (
  update report r
     set text = null
    from oldest o
   where $4 is not null and exists (select from added)
     and r.player_id = $1 and r.text is not null
     and (r.reported_at, r.reporter_id) <= (o.reported_at, o.reporter_id)
)
select not exists (select from added) from judged j
