-- audit_caps: what was donated to each charity that has a cap, less what was reversed, by GROUP BY over the donations.
-- returns AuditedRows(compared, differing, example)
with compared as (
  select charity_id, day, coalesce(g.points, -1) <> coalesce(p.points, -1) as differs
    from charity_donated g full join charity_donated_recomputed p using (charity_id, day)
)
select count(*),
       count(*) filter (where differs),
       min('charity ' || charity_id || ', ' || day) filter (where differs)
  from compared
