-- player_erase: deletes everything that identifies some merged players: names, addresses, pictures that nobody else
-- has, devices, codes, identities, ties, answers to challenges, entries of campaigns, saves, plans, reports, and what
-- came with scores. Rows of ledgers and rankings stay. The wallet is locked, and players_lock and challenges_lock have
-- run before in this transaction. Until a time, their tokens get the receipt as an answer.
-- $1 bigint[] players   $2 uuid receipt   $3 timestamptz now   $4 timestamptz until
with
forgotten as (
  delete from erased_token t where t.until < $3
),
published as (
  insert into erased_token (token_hash, receipt, until)
  select d.token_hash, $2, $4 from device d where d.player_id = any($1::bigint[]) and d.token_hash is not null
  on conflict (token_hash) do nothing
),
cut as (
  delete from device d where d.player_id = any($1)
),
silenced as (
  update wallet w set callers_left = w.callers_left + 1 where w.player_id = any($1)
),
unsaved as (
  delete from save s where s.player_id = any($1)
),
withdrawn as (
  delete from code c where c.player_id = any($1)
),
unlinked as (
  delete from identity i where i.player_id = any($1)
),
unsaid as (
  delete from tie t where t.player_id = any($1)
),
untold as (
  delete from tie t where t.other_id = any($1)
),
unplanned as (
  delete from plan o where o.player_id = any($1)
),
unrun as (
  delete from plan_run r where r.player_id = any($1)
),
unentered as (
  delete from entry e where e.player_id = any($1)
),
uncompared as (
  delete from cohort_member m where m.player_id = any($1)
),
unstaked as (
  delete from stake_share s where s.player_id = any($1)
),
disowned as (
  update challenge c set made_by = 0 where c.made_by = any($1)
),
unreported as (
  delete from report r where r.player_id = any($1) or r.reporter_id = any($1)
),
unreported_teams as (
  delete from team_report r where r.reporter_id = any($1)
),
unnoted as (
  delete from score_note n where n.player_id = any($1)
),
noted as (
  insert into erasure (player_id, receipt, erased_at) select p.id, $2, $3 from player p where p.id = any($1)
  on conflict (player_id) do nothing
),
pictures as materialized (
  select p.avatar from player p where p.id = any($1) and p.avatar is not null
   union
  select f.sha256 from former_avatar f where f.player_id = any($1)
),
forgotten_pictures as (
  delete from former_avatar f where f.player_id = any($1)
),
blank as (
  update player p
     set name = '', asked_name = null, asked_at = null, name_waits = false, email = null, fb_uid = null, country = null,
         avatar = null, unlisted = true, wants_updates = false, updates_since = null, updates_source = null,
         flag = null, flag_at = null
   where p.id = any($1)
)
delete from avatar a
 using pictures i
 where a.sha256 = i.avatar
   and not exists (select from player q where q.avatar = a.sha256 and q.id <> all($1))
