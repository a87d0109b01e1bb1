-- scores_add: adds scores to the ledger. Where they were judged from memory, their boards must still have the versions
-- that it knows, and past scores none of their ids, or nothing of the batch is written (22012).
-- $1 bigint[] player   $2 uuid[] id   $3 int[] board   $4 bigint[] points   $5 bigint[] earned   $6 bool[] improved
-- $7 bool[] no client id   $8 timestamptz[] played at, or null   $9 timestamptz[] arrival   $10 date[] day
-- $11 timestamptz now
-- $12 int[] the boards, each once, and $13 bigint[] the version of each one's row, none where rows were locked
insert into score (
  player_id, id, board_id, points, earned, improved, no_client_id, played_at, reached_at, day, recorded_at)
select v.player_id, v.id, v.board_id, v.points, v.earned, v.improved, v.no_client_id, v.played_at,
       v.reached_at, v.day, $11
  from unnest($1::bigint[], $2::uuid[], $3::int[], $4::bigint[], $5::bigint[], $6::bool[], $7::bool[],
              $8::timestamptz[], $9::timestamptz[], $10::date[])
       v(player_id, id, board_id, points, earned, improved, no_client_id, played_at, reached_at, day)
 where must((select count(*)
               from unnest($12::int[], $13::bigint[]) k(id, version)
               join board b on b.id = k.id and b.xmin::text::bigint = k.version) = cardinality($12::int[]))
   and must(cardinality($12::int[]) = 0
            or not exists (select from past_score p where p.player_id = v.player_id and p.id = v.id))
