-- scores_add: adds scores to the ledger.
-- $1 bigint[] player   $2 uuid[] id   $3 int[] board   $4 bigint[] points   $5 bigint[] earned   $6 bool[] improved
-- $7 bool[] no client id   $8 timestamptz[] played at, or null   $9 timestamptz[] arrival   $10 date[] day
-- $11 timestamptz now
insert into score (
  player_id, id, board_id, points, earned, improved, no_client_id, played_at, reached_at, day, recorded_at)
select v.player_id, v.id, v.board_id, v.points, v.earned, v.improved, v.no_client_id, v.played_at,
       v.reached_at, v.day, $11
  from unnest($1::bigint[], $2::uuid[], $3::int[], $4::bigint[], $5::bigint[], $6::bool[], $7::bool[],
              $8::timestamptz[], $9::timestamptz[], $10::date[])
       v(player_id, id, board_id, points, earned, improved, no_client_id, played_at, reached_at, day)
