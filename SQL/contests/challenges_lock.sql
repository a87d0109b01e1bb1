-- challenges_lock: locks the challenges of players who are erased, before the next statement's snapshot.
-- $1 bigint[] players: [Player.ID]
-- returns UUID
select c.id
  from challenge c
 where c.id in (select x.contest from entry x where x.player_id = any($1::bigint[])
                 union
                select y.id from challenge y where y.made_by = any($1))
 order by c.id
   for no key update
