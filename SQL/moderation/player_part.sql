-- player_part: undoes the merge of a player, and of those merged into it. Their devices, identities and saves move
-- back. Codes made in the meantime by these devices or an operator are deleted, because they would lead to the wrong
-- player. The wallets of both are locked; wallet_recompute then makes them match the ledgers.
-- $1 bigint player: Player.ID   $2 bigint survivor: Player.ID, the survivor of the merge
-- returns nothing
with recursive
parted as (
  select $1::bigint as player_id
   union
  select m.player_id from merge m join parted p on m.into_id = p.player_id
),
gone as (
  delete from merge m where m.player_id = $1
),
followed as (
  update merge m set survivor_id = $1 from parted p where m.player_id = p.player_id and m.player_id <> $1
),
withdrawn as (
  delete from code c
   where c.player_id = $2
     and (c.log_entry is not null or c.kind = 'team'
          or c.device in (select d.hash
                            from device d
                           where d.player_id = $2 and d.merged_from in (select p.player_id from parted p)))
),
saved as (
  update save s
     set player_id = $1, merged_from = nullif(s.merged_from, $1)
   where s.player_id = $2 and s.merged_from in (select p.player_id from parted p)
),
unlinked as (
  update identity i
     set player_id = $1, merged_from = nullif(i.merged_from, $1)
   where i.player_id = $2 and i.merged_from in (select p.player_id from parted p)
),
left_behind as (
  update wallet w set callers_left = w.callers_left + 1 where w.player_id = $2
)
update device d
   set player_id = $1, merged_from = nullif(d.merged_from, $1)
 where d.player_id = $2 and d.merged_from in (select p.player_id from parted p)
