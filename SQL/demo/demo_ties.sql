-- demo_ties: ties between players of the demo. Each begins some time after both have registered.
-- $1 bigint[] players   $2 bigint[] others   $3 text[] says
-- $4 bigint[] parts, millionths of the time from then to the end   $5 timestamptz end, of the data
-- returns nothing
insert into tie (player_id, other_id, says, at)
select v.player_id, v.other_id, v.says, s.both_at + ($5 - s.both_at) * (v.part / 1000000.0)
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) v (player_id, other_id, says, part)
 cross join lateral (
         select greatest(p.registered_at, o.registered_at) as both_at
           from player p, player o
          where p.id = v.player_id and o.id = v.other_id
         offset 0                          -- found by their keys, also by a plan that was made before there were any
       ) s
