-- device_cut: cuts a device off from its player, with the codes that it asked for. callers_lock has run in this
-- transaction. No row when there is no such token.
-- Outcome: cut, no-device, last, or too-new: a device may cut off an older one only if it has been the player's own
-- since before a time. It also returns since when.
-- $1 bytea token hash of a device of the player   $2 bytea device hash   $3 timestamptz before when
with
judged as materialized (
  select t.player_id, coalesce(t.owned_since, t.registered_at) as owned_since,
         case
           when d.hash is null then 'no-device'
           when not exists (select from device o
                             where o.player_id = t.player_id and o.token_hash is not null and o.hash <> d.hash)
             then 'last'
           when d.registered_at < t.registered_at and coalesce(t.owned_since, t.registered_at) > $3 then 'too-new'
           else 'cut'
         end as outcome
    from device t
    left join device d on d.hash = $2 and d.player_id = t.player_id and d.token_hash is not null
   where t.token_hash = $1
),
cut as (
  delete from device d using judged j where j.outcome = 'cut' and d.hash = $2
),
silenced as (
  update wallet w
     set callers_left = w.callers_left + 1
    from judged j
   where j.outcome = 'cut' and w.player_id = j.player_id
),
withdrawn as (
  delete from code c using judged j where j.outcome = 'cut' and c.player_id = j.player_id and c.device = $2
)
select j.outcome, j.owned_since from judged j
