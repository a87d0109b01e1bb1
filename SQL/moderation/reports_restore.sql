-- reports_restore: lets reports wait again that an action dismissed, and says how many.
-- $1 uuid action
-- returns Int64
with restored as (
  update report set dismissed_by = null where dismissed_by = $1 returning 1
)
select count(*) from restored
