-- plan_held: the lines of the plan that a player has, and what it owes each.
-- $1 bigint player: Player.ID
-- returns HeldPlan
select o.charity_ids, o.shares,
       (select r.owed
          from plan_run r
         where r.player_id = o.player_id and r.version = o.version
         order by r.day desc
         limit 1) as owed
  from plan o
 where o.player_id = $1 and o.until is null
