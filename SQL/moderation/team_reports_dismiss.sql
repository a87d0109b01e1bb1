-- team_reports_dismiss: dismisses what was reported of a team so far. The team is locked.
-- $1 bigint team: Team.ID   $2 uuid action
-- returns nothing
update team_report set dismissed_by = $2 where team_id = $1 and dismissed_by is null
