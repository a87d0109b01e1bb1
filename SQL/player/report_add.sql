-- report_add: keeps what one player reports of another, once. It also removes the words of reports that report_place
-- puts last, so that few keep theirs. No row when there is no such player, or it is hidden or was erased, or the
-- reporter was.
-- Nobody's wallet is locked, so that reports delay no post. Who is being erased is waited for.
-- $1 bigint who is reported   $2 bigint who reports   $3 text why   $4 text words or null   $5 timestamptz now
-- $6 int words that are kept, at least 1   $7 bigint keyed hash of the reporter's network, or null
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
  insert into report (player_id, reporter_id, why, text, reported_at, source)
  select j.id, $2, $3, $4, $5, $7 from judged j
  on conflict (player_id, reporter_id) do nothing
  returning player_id
),
shortened as (
  update report r
     set text = null
    from report_place o
   where $4::text is not null and exists (select from added)
     and o.player_id = $1 and o.place >= $6::int
     and r.player_id = $1 and r.reporter_id = o.reporter_id
)
select not exists (select from added) from judged j
