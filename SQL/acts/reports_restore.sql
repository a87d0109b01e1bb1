-- reports_restore: lets reports wait again that an act dismissed, and says how many.
-- $1 uuid act
with restored as (
  update report set dismissed_by = null where dismissed_by = $1 returning 1
)
select count(*) from restored
