-- donations_add: adds donations to the ledger.
-- $1 bigint[] player   $2 uuid[] id   $3 int[] charity   $4 bigint[] points   $5 bool[] no client id
-- $6 timestamptz[] arrival   $7 date[] day of the charity's board   $8 bigint[] row id of an anonymous one, or null
-- $9 timestamptz[] when the day began of an anonymous one, or null   $10 timestamptz now
insert into donation (
  player_id, id, charity_id, points, anonymous, no_client_id, reached_at, day, row_id, day_began_at, recorded_at)
select v.player_id, v.id, v.charity_id, v.points, v.row_id is not null, v.no_client_id, v.reached_at, v.day, v.row_id,
       v.day_began_at, $10
  from unnest($1::bigint[], $2::uuid[], $3::int[], $4::bigint[], $5::bool[], $6::timestamptz[], $7::date[],
              $8::bigint[], $9::timestamptz[])
       v(player_id, id, charity_id, points, no_client_id, reached_at, day, row_id, day_began_at)
