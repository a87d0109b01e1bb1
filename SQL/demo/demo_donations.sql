-- demo_donations: the ledger of what they donated, with the day in the zone of each charity's board.
-- $1 bigint[] players   $2 uuid[] ids   $3 int[] charities   $4 bigint[] points   $5 bool[] anonymous
-- $6 timestamptz[] when
insert into donation (
  player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at, day, row_id, day_began_at)
select v.player_id, v.id, v.charity_id, v.points, v.anonymous, false, v.reached_at, v.reached_at,
       (v.reached_at at time zone b.zone)::date, case when v.anonymous then anonymous_row_id(v.id) end,
       case when v.anonymous then date_trunc('day', v.reached_at, b.zone) end
  from unnest($1::bigint[], $2::uuid[], $3::int[], $4::bigint[], $5::bool[], $6::timestamptz[])
       v(player_id, id, charity_id, points, anonymous, reached_at)
  join charity c on c.id = v.charity_id
  join board b on b.id = c.board_id
