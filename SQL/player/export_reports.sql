-- export_reports: what a player and those who are one with it have reported of others after an instant, the oldest
-- first, and whether everybody may see who was reported.
-- $1 bigint who reports   $2 timestamptz after   $3 bigint who was reported at that instant   $4 int rows
select r.reported_at, r.player_id, r.why, r.text,
       coalesce(
         (select not p.hidden
            from player p
           where p.id = coalesce((select m.survivor_id from merge m where m.player_id = r.player_id), r.player_id)),
         false) as is_shown
  from report r
 where r.reporter_id = any(members($1)) and (r.reported_at, r.player_id) > ($2, $3)
 order by r.reported_at, r.player_id
 limit $4::int
