-- donations_add: adds donations to the ledger. Where they were judged from memory, their charities and boards must
-- still have the versions that it knows, and past donations none of their ids, or nothing of the batch is written
-- (22012).
-- $1 bigint[] player   $2 uuid[] id   $3 int[] charity   $4 bigint[] points   $5 bool[] no client id
-- $6 timestamptz[] arrival   $7 date[] day of the charity's board   $8 bigint[] row id of an anonymous one, or null
-- $9 timestamptz[] when the day began of an anonymous one, or null   $10 timestamptz now
-- $11 int[] the charities, each once, and $12 bigint[] the version of each one's row, none where rows were locked
-- $13 int[] the boards, and $14 bigint[] the version of each one's row
insert into donation (
  player_id, id, charity_id, points, anonymous, no_client_id, reached_at, day, row_id, day_began_at, recorded_at)
select v.player_id, v.id, v.charity_id, v.points, v.row_id is not null, v.no_client_id, v.reached_at, v.day, v.row_id,
       v.day_began_at, $10
  from unnest($1::bigint[], $2::uuid[], $3::int[], $4::bigint[], $5::bool[], $6::timestamptz[], $7::date[],
              $8::bigint[], $9::timestamptz[])
       v(player_id, id, charity_id, points, no_client_id, reached_at, day, row_id, day_began_at)
 where must((select count(*)
               from unnest($11::int[], $12::bigint[]) k(id, version)
               join charity c on c.id = k.id and c.xmin::text::bigint = k.version) = cardinality($11::int[]))
   and must((select count(*)
               from unnest($13::int[], $14::bigint[]) k(id, version)
               join board b on b.id = k.id and b.xmin::text::bigint = k.version) = cardinality($13::int[]))
   and must(cardinality($11::int[]) = 0
            or not exists (select from past_donation p where p.player_id = v.player_id and p.id = v.id))
