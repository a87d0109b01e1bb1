-- device_join: joins a device to the player of a code, which this uses up, or of an identity.
-- callers_lock has run in this transaction for that player and for the device's own player.
-- A player without another device is left behind: its profile, identities, ties, plan and answers to challenges
-- are deleted, and nobody can join it. It stays as an id without any score, donation, save, team or merge. Its pictures
-- and reports move to the joined player, so that they are erased with that one.
-- Outcome: joined, known (the device has that player already; a code stays valid), refused, banned (with an identity:
-- either player may not write), has-history, merge-limit, or changed (the state read before the locks no longer holds).
-- With a history and a wish to merge: merge, with the code used up; the merge itself is an action in the same
-- transaction.
-- If the device that made the code, or the identity, came with a merge, the new device leaves with it when the merge is
-- undone. A device that joined by a recovery code counts as the player's own from the time the code was made.
-- A game's own id of a player joins in the same way, without a token.
-- $1 bytea device hash   $2 bytea token hash or null   $3 bytea code hash or null   $4 bigint the player whose it is
-- $5 bigint the player of the device, or null for a new one   $6 text name of the device or null   $7 timestamptz now
-- $8 date today   $9 bigint devices of a player, at most   $10 bool whether to merge a player with a history
-- $11 int merges of a player, at most   $12 bytea identity hash or null
with
judged as materialized (
  select d.hash is null as is_new,
         case
           when c.log_entry is not null then 'operator'
           when c.kind = 'recovery' then 'recovery'
           when c.kind is null then 'sign-in'
           else 'code'
         end as came_by,
         case when c.kind = 'recovery' then c.made_at end as owned_since,
         coalesce((select a.merged_from from device a where a.hash = c.device and a.player_id = $4),
                  i.merged_from) as merged_from,
         case
           when d.player_id is distinct from $5::bigint or d.token_hash <> $2
             or exists (select from device o where o.token_hash = $2 and o.hash <> $1) then 'changed'
           when $12::bytea is not null and i.player_id is null then 'changed'
           when c.player_id is null and i.player_id is null then 'refused'
           when exists (select from wallet w where w.player_id in ($4, d.player_id) and w.banned)
             then case when i.player_id is null then 'refused' else 'banned' end
           when exists (select from player p where p.id = $4 and p.name = '') then 'refused'   -- It was erased.
           when d.player_id = $4 then 'known'
           when exists (select from score s where s.player_id = any(members(d.player_id)))
             or exists (select from donation g where g.player_id = any(members(d.player_id)))
             or exists (select from save v where v.player_id = any(members(d.player_id)))
             or exists (select from member b where b.player_id = any(members(d.player_id)))
             -- What players told about themselves who became one with it has to stay within somebody's reach.
             or exists (select from merge m where m.survivor_id = d.player_id)
                and not exists (
                      -- One that came with such a player leaves with it.
                      select from device o where o.player_id = d.player_id and o.hash <> $1 and o.merged_from is null)
             then case
                    when not $10::bool then 'has-history'
                    when (select w.merges from wallet w where w.player_id = $4) >= $11::int then 'merge-limit'
                    else 'merge'
                  end
           when (select count(*) from device o where o.player_id = $4) >= $9 then 'refused'
           else 'joined'
         end as outcome
    from (select 1) one
    left join device d on d.hash = $1
    left join code c on c.player_id = $4 and c.hash = $3 and c.kind in ('join', 'recovery')
                    and (c.expires_at is null or c.expires_at > $7)
    left join identity i on i.player_id = $4 and i.hash = $12::bytea
),
made as (
  insert into device (hash, player_id, token_hash, registered_at, name, seen_on, joined_by, came_by, owned_since,
                      merged_from)
  select $1, $4, $2, $7, $6, $8, $3, came_by, owned_since, merged_from from judged where outcome = 'joined' and is_new
  on conflict do nothing
  returning hash
),
moved as (
  update device d
     -- It speaks no more for one with whom its former player was one.
     set player_id = $4, merged_from = j.merged_from, token_hash = $2, registered_at = $7, name = coalesce($6, d.name),
         seen_on = $8, joined_by = $3, came_by = j.came_by, owned_since = j.owned_since
    from judged j
   where j.outcome = 'joined' and not j.is_new and d.hash = $1
  returning d.hash
),
silenced as (
  update wallet w set callers_left = w.callers_left + 1 from moved where w.player_id = $5
),
merged as (
  update device d
     set joined_by = $3, name = coalesce($6, d.name), seen_on = $8, registered_at = $7, came_by = j.came_by,
         owned_since = j.owned_since
    from judged j
   where j.outcome = 'merge' and d.hash = $1
  returning d.hash
),
used as (
  delete from code c
   where c.player_id = $4 and c.hash = $3 and c.kind <> 'friend'
     and (exists (select from made) or exists (select from moved) or exists (select from merged))
),
signed_in as (
  update identity i
     set used_on = $8
   where i.hash = $12 and i.player_id = $4 and i.used_on < $8
     and (exists (select from made) or exists (select from moved) or exists (select from merged))
),
left_behind as materialized (
  select $5 as player_id
    from moved
   where not exists (select from device o where o.player_id = $5 and o.hash <> $1)
),
withdrawn as (
  delete from code c using left_behind l where c.player_id = l.player_id
),
inherited as (
  insert into former_avatar (player_id, sha256)
  select $4, a.sha256
    from avatar a
   where a.sha256 in (select p.avatar from player p join left_behind l on l.player_id = p.id
                       union
                      select f.sha256 from former_avatar f join left_behind l on l.player_id = f.player_id)
  on conflict do nothing
),
unsaid as (
  delete from tie t using left_behind l where t.player_id = l.player_id
),
untold as (
  delete from tie t using left_behind l where t.other_id = l.player_id
),
unentered as (
  delete from entry e using left_behind l where e.player_id = l.player_id
),
unstaked as (
  delete from stake_share s using left_behind l where s.player_id = l.player_id
),
unlinked as (
  delete from identity i using left_behind l where i.player_id = l.player_id
),
unplanned as (
  delete from plan o using left_behind l where o.player_id = l.player_id
),
unrun as (
  delete from plan_run r using left_behind l where r.player_id = l.player_id
),
forgotten as (
  delete from former_avatar f using left_behind l where f.player_id = l.player_id
),
unworded as (
  delete from log_words w using left_behind l join moderation_action a on a.player_id = l.player_id where w.n = a.n
),
reporting as materialized (
  select r.player_id, r.reporter_id,
         r.player_id not in (l.player_id, $4)
         and not exists (select from report o where o.player_id = r.player_id and o.reporter_id = $4) as is_kept
    from left_behind l join report r on l.player_id in (r.player_id, r.reporter_id)
),
reported as (
  update report r
     set reporter_id = $4
    from reporting x
   where x.is_kept and r.player_id = x.player_id and r.reporter_id = x.reporter_id
),
unreported as (
  delete from report r
   using reporting x
   where not x.is_kept and r.player_id = x.player_id and r.reporter_id = x.reporter_id
),
cleared as (
  update player p
     set name = '', asked_name = null, asked_at = null, name_waits = false, email = null, fb_uid = null, country = null,
         avatar = null, unlisted = true, wants_updates = false, updates_since = null, updates_source = null,
         flag = null, flag_at = null
    from left_behind l
   where p.id = l.player_id
)
select case
         when j.outcome = 'joined' and not exists (select from made) and not exists (select from moved) then 'changed'
         else j.outcome
       end as outcome,
       p.id, p.name, p.wants_updates, p.avatar
  from judged j
  left join player p on p.id = $4
