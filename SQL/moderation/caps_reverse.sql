-- caps_reverse: takes donations out of what was donated to charities that have a cap, or brings them back. Charities
-- without a cap have no such rows. caps_reversed_lock has run earlier in this transaction.
-- $1 bigint[] whose rows the donations are   $2 uuid[] donations   $3 bool[] whether each is reversed from now
update charity_donated g
   set points = g.points + x.points
  from (select d.charity_id, d.day, sum(case when v.reversed then - d.points else d.points end) as points
          from unnest($1::bigint[], $2::uuid[], $3::bool[]) v(player_id, id, reversed)
          join donation d on d.player_id = v.player_id and d.id = v.id
         group by d.charity_id, d.day) x
 where g.charity_id = x.charity_id and g.day = x.day
