-- audit_charity_totals: what each charity received, by GROUP BY over the funded donations.
-- returns AuditedRows(compared, differing, example)
with kept as (
  select t.charity_id, sum(t.points) as points, sum(t.contributors) as contributors, max(t.reached_at) as reached_at
    from charity_total t
   group by t.charity_id
), compared as (
  select charity_id,
         (k.points, k.contributors, k.reached_at) is distinct from (p.points, p.contributors::numeric, p.reached_at)
         as differs
    from kept k full join charity_total_recomputed p using (charity_id)
)
select count(*),
       count(*) filter (where differs),
       'charity ' || min(charity_id) filter (where differs)
  from compared
