-- export_reports: what a player and those who are one with it have reported of others after an instant, the oldest
-- first.
-- $1 bigint who reports   $2 timestamptz after   $3 bigint who was reported at that instant   $4 int rows
select r.reported_at, r.player_id, r.why, r.text
  from report r
 where r.reporter_id = any(members($1)) and (r.reported_at, r.player_id) > ($2, $3)
 order by r.reported_at, r.player_id
 limit $4::int
