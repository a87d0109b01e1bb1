-- player_merge: merges a player, and those merged into it, into another player. Its devices and identities move to the
-- survivor, whose wallet gets its sums, and whose empty slots get its saves. Ledger rows stay. Both wallets are locked.
-- $1 bigint player: Player.ID   $2 bigint survivor: Player.ID, to merge into   $3 uuid action   $4 timestamptz now
-- $5 int = Limits.saveSlotsMax, slots of a player, at most
-- returns nothing
with
was as materialized (
  select w.* from wallet w where w.player_id = $1
),
followed as (
  update merge m set survivor_id = $2 where m.survivor_id = $1
),
joined as (
  insert into merge (player_id, into_id, survivor_id, action, merged_at) values ($1, $2, $2, $3, $4)
),
moved as (
  update device d
     -- The devices move to the survivor. A device that joined in this transaction keeps its owned_since.
     set player_id = $2, merged_from = coalesce(d.merged_from, $1), registered_at = $4,
         owned_since = case when d.registered_at = $4 then d.owned_since end
   where d.player_id = $1
),
missing as materialized (
  select distinct s.slot
    from save s
   where s.player_id = $1 and not exists (select from save o where o.player_id = $2 and o.slot = s.slot)
   order by s.slot
   limit greatest($5::int - (select count(distinct o.slot) from save o where o.player_id = $2), 0)
),
saved as (
  update save s
     set player_id = $2, merged_from = coalesce(s.merged_from, $1)
    from missing m
   where s.player_id = $1 and s.slot = m.slot
),
linked as (
  update identity i set player_id = $2, merged_from = coalesce(i.merged_from, $1) where i.player_id = $1
),
withdrawn as (
  delete from code c where c.player_id = $1
),
emptied as (
  update wallet w
     set earned = 0, voided = 0, held = 0, donated = 0, merges = 0, holds = 0, banned = false, merged = true,
         callers_left = w.callers_left + 1
   where w.player_id = $1
)
update wallet w
   set earned = w.earned + o.earned, voided = w.voided + o.voided, held = w.held + o.held,
       donated = w.donated + o.donated, merges = w.merges + o.merges + 1, parted = w.parted or o.parted,
       holds = w.holds + o.holds, settles_at = greatest(w.settles_at, o.settles_at),
       secret_until = greatest(w.secret_until, o.secret_until)
  from was o
 where w.player_id = $2
