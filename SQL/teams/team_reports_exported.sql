-- team_reports_exported: the teams whose names a player and those merged into it have reported, after a row of the
-- list.
-- $1 bigint player: Player.ID   $2 bigint afterTeam: Team.ID   $3 bigint afterReporter: Player.ID   $4 int limitRows
-- returns ExportedTeamReport
select r.team_id, r.reporter_id, r.reported_at
  from team_report r
 where r.reporter_id = any(members($1)) and (r.team_id, r.reporter_id) > ($2, $3)
 order by r.team_id, r.reporter_id
 limit $4::int
