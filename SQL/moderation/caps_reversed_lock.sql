-- caps_reversed_lock: caps_lock for the charities that have a cap and to which some donations went.
-- $1 bigint[] whose rows the donations are   $2 uuid[] donations
select c.id
  from charity c
 where (c.cap_day is not null or c.cap_all is not null)
   and c.id in (select d.charity_id
                  from unnest($1::bigint[], $2::uuid[]) v(player_id, id)
                  join donation d on d.player_id = v.player_id and d.id = v.id)
 order by c.id
   for no key update
