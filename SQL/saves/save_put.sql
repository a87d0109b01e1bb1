-- save_put: puts bytes into a slot of a token's player. callers_lock has run in this transaction. No row when there is
-- no such token.
-- Outcome: stored, known (the slot has these bytes already), stale (the slot has something else than what the caller
-- has seen), slots-full, post-first (the player may use only one small slot until a score counts), banned, or changed,
-- when the player was merged meanwhile. A score counts as its owner is told, also while it is held in secret.
-- $1 bytea token hash   $2 text slot   $3 bytea body   $4 bytea etag of the body   $5 bytea etag that the slot has, as
-- the caller has seen it; null when it has nothing   $6 timestamptz now   $7 int slots of a player, at most
-- $8 int earlier versions that stay   $9 int bytes that a player may save before it has posted
-- $10 int scores of the player to check for one that counts
with
judged as materialized (
  select d.player_id, c.revision, c.etag, c.saved_at,
         case
           when w.banned then 'banned'
           when c.etag = $4 then 'known'
           when c.etag is distinct from $5::bytea then 'stale'
           when c.etag is null
             and (select count(distinct s.slot) from save s where s.player_id = d.player_id) >= $7::int
             then 'slots-full'
           when (octet_length($3::bytea) > $9::int
                 or c.etag is null and exists (select from save s where s.player_id = d.player_id))
            and w.earned <= w.voided + w.held
                            - case
                                when w.secret_until > $6
                                  then (select p.held + p.voided from secret_points(d.player_id, $6) p)
                                else 0
                              end
            and not exists (
                  select
                    from (select s.player_id, s.id
                            from score s
                           where s.player_id = any(members(d.player_id))
                           limit $10::int) s
                   where not exists (
                           select
                             from score_state m
                            where m.player_id = s.player_id and m.id = s.id and published_state(m, $6) <> 'counted'))
             then 'post-first'
           else 'stored'
         end as outcome
    from device d
    join wallet w on w.player_id = d.player_id
    left join lateral (
           select s.revision, s.etag, s.saved_at
             from save s
            where s.player_id = d.player_id and s.slot = $2
            order by s.revision desc
            limit 1
         ) c on true
   where d.token_hash = $1
),
stored as (
  insert into save (player_id, slot, revision, etag, body, saved_at)
  select j.player_id, $2, coalesce(j.revision, 0) + 1, $4, $3, $6 from judged j where j.outcome = 'stored'
  on conflict on constraint save_pkey do nothing
  returning saved_at
),
outdated as (
  delete from save s
   using judged j
   where j.outcome = 'stored' and s.player_id = j.player_id and s.slot = $2 and s.revision <= j.revision - $8::int
)
select case when j.outcome = 'stored' and n.saved_at is null then 'changed' else j.outcome end as outcome,
       case j.outcome when 'stored' then $4 else j.etag end as etag,
       coalesce(n.saved_at, j.saved_at) as saved_at,
       j.revision is null as is_new
  from judged j
  left join stored n on true
