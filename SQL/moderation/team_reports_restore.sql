-- team_reports_restore: lets reports of a team wait again that an action dismissed, and says how many.
-- $1 uuid action
-- returns Int64
with restored as (
  update team_report r set dismissed_by = null where r.dismissed_by = $1 returning r.team_id
)
select count(*) from restored
