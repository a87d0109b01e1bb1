-- demo_plans: plans of demo players. Each begins some time after its player registered, and donates next after the end
-- of the data.
-- $1 bigint[] players   $2 int[] firsts, charities   $3 int[] seconds: [Int32?], with slugs after the first, or null
-- $4 int[] shares, of a hundred for the first   $5 text[] every   $6 bigint[] keeps
-- $7 bigint[] parts, millionths of the time from then to the end   $8 timestamptz end, of the data
-- returns nothing
insert into plan (player_id, version, charity_ids, shares, every, keep, anonymous, since, next_day)
select v.player_id, 1, array_remove(array[v.first_id, v.second_id], null),
       case when v.second_id is null then array[v.share] else array[v.share, 100 - v.share] end, v.every, v.keep, false,
       s.registered_at + ($8 - s.registered_at) * (v.part / 1000000.0),
       plan_day(v.every, ($8 at time zone 'UTC')::date)
  from unnest($1::bigint[], $2::int[], $3::int[], $4::int[], $5::text[], $6::bigint[], $7::bigint[])
         v (player_id, first_id, second_id, share, every, keep, part)
 cross join lateral (select p.registered_at from player p where p.id = v.player_id offset 0) s
