-- demo_scores: the ledger of what they played, with the day in the zone of each board.
-- $1 bigint[] players   $2 uuid[] ids   $3 int[] boards   $4 bigint[] points   $5 bigint[] earned
-- $6 bool[] whether each improved the player's standing   $7 timestamptz[] when
insert into score (player_id, id, board_id, points, earned, improved, no_client_id, reached_at, recorded_at, day)
select v.player_id, v.id, v.board_id, v.points, v.earned, v.improved, false, v.reached_at, v.reached_at,
       (v.reached_at at time zone b.zone)::date
  from unnest($1::bigint[], $2::uuid[], $3::int[], $4::bigint[], $5::bigint[], $6::bool[], $7::timestamptz[])
       v(player_id, id, board_id, points, earned, improved, reached_at)
  join board b on b.id = v.board_id
