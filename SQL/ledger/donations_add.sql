-- donations_add: adds donations to the ledger.
-- $1 bigint[] player   $2 uuid[] id   $3 int[] charity   $4 bigint[] points   $5 bool[] anonymous
-- $6 bool[] no client id   $7 timestamptz[] arrival   $8 date[] day of the charity's board   $9 timestamptz now
insert into donation (player_id, id, charity_id, points, anonymous, no_client_id, reached_at, day, recorded_at)
select v.player_id, v.id, v.charity_id, v.points, v.anonymous, v.no_client_id, v.reached_at, v.day, $9
  from unnest($1::bigint[], $2::uuid[], $3::int[], $4::bigint[], $5::bool[], $6::bool[], $7::timestamptz[],
              $8::date[])
       v(player_id, id, charity_id, points, anonymous, no_client_id, reached_at, day)
