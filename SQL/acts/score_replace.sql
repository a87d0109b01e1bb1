-- score_replace: adds a score in place of another one: on its board, at its time, with other points. The wallet is
-- locked.
-- $1 bigint player   $2 uuid score that is replaced   $3 uuid new score   $4 bigint points   $5 bigint earned
-- $6 timestamptz now
with earning as (
  update wallet w set earned = w.earned + $5 where w.player_id = $1
)
insert into score (
  player_id, id, board_id, points, earned, improved, no_client_id, played_at, reached_at, day, recorded_at)
select s.player_id, $3, s.board_id, $4, $5, s.improved, false, s.played_at, s.reached_at, s.day, $6
  from score s
 where s.player_id = $1 and s.id = $2
