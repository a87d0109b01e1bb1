-- demo_entries: the answers of demo players to challenges.
-- $1 bigint[] players   $2 uuid[] contests   $3 text[] states
-- $4 int[] charities: [Int32?], the named charity if there is a stake, or null   $5 timestamptz[] at
-- returns nothing
insert into entry (player_id, contest, state, charity_id, at)
select v.player_id, v.contest, v.state, v.charity_id, v.at
  from unnest($1::bigint[], $2::uuid[], $3::text[], $4::int[], $5::timestamptz[])
         v (player_id, contest, state, charity_id, at)
