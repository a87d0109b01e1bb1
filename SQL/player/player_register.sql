-- player_register: makes or updates the player whom a device speaks for.
-- It runs twice. The first time it only judges: who is refused, or changes nothing, needs no transaction, takes no lock
-- and writes nothing. The second time device_claim and callers_lock have run earlier in its transaction.
-- What is null was not said and keeps what is known; what is empty clears it. A name that looks like a charity's is
-- refused, unless the player had it before the charity did.
-- Access says how the caller may speak for the device:
--   classic    by its id, until it has a token;
--   token      with its own, which a device that the classic protocol made takes up while that protocol is open;
--   new-token  with one that is made now, which is good for a new device only;
--   key        as the game, whose own id of the player the device is.
-- Without a device the token names it. A token names its device under any label: other-label says that the device has
-- another one, which device_relabel changes before this runs again.
-- A known player whose name changes is told as renamed while renames are counted, so that the caller can count it.
-- $1 bytea device hash, or null   $2 text game slug, or null: the player's   $3 text name or null
-- $4 text skeleton of the name or null   $5 text e-mail, '' clears, or null   $6 text fb_uid, '' clears, or null
-- $7 bool wants updates or null   $8 text where that wish was said   $9 bytea avatar SHA-256, '' clears, or null
-- $10 bytea avatar PNG or null   $11 bigint the player that it must be, or null   $12 timestamptz now
-- $13 bool update a known player   $14 text country, '' clears, or null   $15 text access
-- $16 bytea token or key hash, or null   $17 text whether it may rename a known player: free, counted or refused
-- $18 bool write, not only judge   $19 bool whether the profile is unlisted, or null
-- $20 text skeleton of the name in leet spelling, or null   $21 bool whether it accepts friend requests, or null
-- $22 text flag that a known player shows, '' clears, or null   $23 int days before it may show another one
with

-- The device that is spoken for; it is not called `device`, because other devices are asked for below.
spoken as materialized (
  select d.hash, d.player_id, d.token_hash, p.id is not null as known, coalesce(p.asked_name, p.name) as name,
         p.game_id, p.flag, p.flag_at + make_interval(days => $23::int) as flag_again_at
    from device d left join player p on p.id = d.player_id
   where d.hash = coalesce($1::bytea, (select o.hash from device o where o.token_hash = $16::bytea)) -- two indexes
),

-- Judges the access first, then the player, then the name.
judged as materialized (
  select d.hash, d.player_id, d.known, d.token_hash is null as is_free, g.id as game_id, n.is_rename,
         coalesce(h.names = 'approved', false) as is_approving, coalesce(h.takes_email, true) as takes_email,
         coalesce(h.new_unlisted, false) as is_unlisted,
         case
           when $1 is not null and g.id is null then 'no-game'
           when $15::text = 'key' and k.game_id is null then 'unauthorized'
           when $15 = 'key' and k.game_id <> g.id then 'forbidden'
           when $15 = 'key' and not 'register' = any(k.scopes) then 'scope'
           -- The player of the token was erased, and its devices are told so for a time.
           when $15 in ('token', 'new-token') and d.token_hash is distinct from $16
            and exists (select from erased_token t where t.token_hash = $16 and t.until > $12)
             then 'unauthorized'
           when $15 = 'token' and $1 is not null and d.hash is null
            and exists (
                  select
                    from device o join player q on q.id = o.player_id
                   where o.token_hash = $16 and q.game_id = g.id) then 'other-label'
           when $15 = 'token' and d.hash is null
            and ($1 is null or exists (select from device o where o.token_hash = $16)) then 'unauthorized'
           -- The label is another device's: of the classic protocol, or with a token of its own.
           when $15 = 'token' and d.hash is not null and d.token_hash is null
            and (g.classic <> 'open' or exists (select from device o where o.token_hash = $16)) then 'label-taken'
           when $15 = 'token' and d.token_hash <> $16 then 'label-taken'
           when $15 = 'new-token' and d.hash is not null and d.token_hash is distinct from $16 then 'label-taken'
           when $15 = 'classic' and d.token_hash is not null then 'token-needed'
           when d.player_id is null and $11::bigint is not null then 'wrong-device'
           when d.player_id is null then 'no-name'
           when $11::bigint is not null and $11::bigint <> d.player_id then 'wrong-device'
           when d.known and d.name = '' then 'unauthorized'     -- It was erased, or left behind by its device.
           when d.known and w.banned then 'banned'
           when $9::bytea is not null and exists (select from refused_avatar r where r.sha256 = $9)
             then 'picture-refused'
           when (not d.known or $13) and $3::text is not null and d.name is distinct from $3
            and is_refused_name(h.names, h.refused_skeletons, $4, $20) then 'name-refused'
           when n.is_rename and $17::text = 'refused' then 'too-many-renames'
           when d.known and $22::text <> '' and d.flag is distinct from $22 and not h.flags then 'no-flags'
           when d.known and $22 <> '' and d.flag is distinct from $22 and $12 < d.flag_again_at then 'flag-fixed'
           when d.known then 'known'
           else 'registered'
         end as outcome
    from (select 1) one
    left join spoken d on true
    left join wallet w on w.player_id = d.player_id
    left join game g on g.slug = $2
    left join effective_game h on h.id = coalesce(d.game_id, g.id)
    left join game_key k on k.hash = $16 and k.revoked_at is null and $15 = 'key'
                        and ($12 < k.expires_at) is not false
    left join lateral (select d.known and $13::bool and d.name <> $3::text as is_rename) n on true
),

-- What a known player becomes, and whether that is anything else than before: a row that is written without a change
-- would make everybody who follows the players read it again.
after as materialized (
  select p.id, a.name, a.asked_name, a.email, a.fb_uid, a.wants_updates, a.updates_since, a.updates_source, a.avatar,
         a.country, a.unlisted, a.takes_asks, a.flag,
         (p.name, p.asked_name, p.email, p.fb_uid, p.wants_updates, p.updates_since, p.updates_source, p.avatar,
          p.country, p.unlisted, p.takes_asks, p.flag)
         is distinct from
         (a.name, a.asked_name, a.email, a.fb_uid, a.wants_updates, a.updates_since, a.updates_source, a.avatar,
          a.country, a.unlisted, a.takes_asks, a.flag)
         as differs
    from judged j
    join player p on p.id = j.player_id
   cross join lateral (
           select case when j.is_approving or p.name_waits then p.name else coalesce($3, p.name) end as name,
                  case
                    when $3::text is null then p.asked_name
                    when j.is_approving or p.name_waits then nullif($3, p.name)
                  end as asked_name,
                  case
                    when $5::text is null or not j.takes_email and $5 <> '' then p.email
                    else nullif($5, '')
                  end as email,
                  case when $6::text is null then p.fb_uid else nullif($6, '') end as fb_uid,
                  coalesce($7, p.wants_updates) as wants_updates,
                  -- A wish that is said again keeps when and where it was said first; who takes it back has no such
                  -- time.
                  case
                    when $7 and not p.wants_updates then $12::timestamptz
                    when $7 or $7 is null then p.updates_since
                  end as updates_since,
                  case
                    when $7 and not p.wants_updates then $8
                    when $7 or $7 is null then p.updates_source
                  end as updates_source,
                  case when $9::bytea is null then p.avatar else nullif($9, '') end as avatar,
                  case when $14::text is null then p.country else nullif($14, '') end as country,
                  coalesce($19, p.unlisted) as unlisted,
                  coalesce($21, p.takes_asks) as takes_asks,
                  case when $22::text is null then p.flag else nullif($22, '') end as flag
         ) a
   where j.outcome = 'known' and $13
),

-- Writes the token, the picture, the new or the changed player, and which picture that one had before.
bound as (
  update device d
     set token_hash = $16
    from judged j
   where $18::bool and j.outcome = 'known' and j.is_free and $15 = 'token' and d.hash = j.hash
),
picture as (
  insert into avatar (sha256, png, added_at)
  select $9, $10, $12
    from judged
   where $18 and $10::bytea is not null and (outcome = 'registered' or exists (select 1 from after where differs))
  on conflict (sha256) do nothing
),
made as (
  insert into player (
    id, game_id, name, asked_name, asked_at, email, fb_uid, wants_updates, updates_since, updates_source, avatar,
    country, unlisted, registered_at)
  select player_id, game_id, case when is_approving then waiting_name(player_id) else $3 end,
         case when is_approving then $3 end, case when is_approving then $12::timestamptz end,
         case when takes_email then nullif($5, '') end, nullif($6, ''),
         coalesce($7, false), case when $7 then $12::timestamptz end, case when $7 then $8 end,
         nullif($9, ''), nullif($14, ''), coalesce($19, is_unlisted), $12
    from judged
   where $18 and outcome = 'registered'
  returning id, coalesce(asked_name, name) as name, wants_updates, avatar
),
made_wallet as (
  insert into wallet (player_id) select id from made
),
changed as (
  update player p
     set name = a.name, asked_name = a.asked_name,
         asked_at = case
                      when a.asked_name is null then null
                      when a.asked_name is distinct from p.asked_name then $12
                      else p.asked_at
                    end,
         email = a.email, fb_uid = a.fb_uid,
         wants_updates = a.wants_updates, updates_since = a.updates_since, updates_source = a.updates_source,
         avatar = a.avatar, country = a.country, unlisted = a.unlisted,
         takes_asks = a.takes_asks, flag = a.flag,
         flag_at = case when a.flag is null or a.flag = p.flag then p.flag_at else $12 end
    from after a
   where $18 and a.differs and p.id = a.id
),
replaced as (
  insert into former_avatar (player_id, sha256)
  select p.id, v.sha256
    from after a
    join player p on p.id = a.id
    join avatar v on v.sha256 = p.avatar
   where $18 and p.avatar is distinct from a.avatar
  on conflict do nothing
)

-- Answers: what became of it, the player, and whether anything of a known player or device changes by it.
select case when j.outcome = 'known' and j.is_rename and $17 = 'counted' then 'renamed' else j.outcome end as outcome,
       j.player_id,
       coalesce(m.name, a.asked_name, a.name, p.asked_name, p.name) as name,
       coalesce(m.wants_updates, a.wants_updates, p.wants_updates) as wants_updates,
       case
         when m.id is not null then m.avatar
         when a.id is not null then a.avatar
         else p.avatar
       end as avatar,
       coalesce(a.differs, false) or (j.outcome = 'known' and j.is_free and $15 = 'token') as changes,
       case when j.outcome = 'flag-fixed' then s.flag_again_at end as flag_again_at
  from judged j
  left join made m on true
  left join after a on true
  left join player p on p.id = j.player_id
  left join spoken s on true
