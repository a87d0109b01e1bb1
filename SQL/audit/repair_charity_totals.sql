-- repair_charity_totals: makes what each charity received what its funded donations say, in one part. tallies_lock has
-- run in this transaction.
-- returns Int64
with recomputed as materialized (
  select charity_id, points, contributors, reached_at from charity_total_recomputed
), right_already as materialized (
  select t.charity_id
    from charity_total t join recomputed p using (charity_id)
   group by t.charity_id, p.points, p.contributors, p.reached_at
  having (sum(t.points), sum(t.contributors), max(t.reached_at))
         is not distinct from (p.points, p.contributors::numeric, p.reached_at)
), gone as (
  delete from charity_total t
   where t.charity_id not in (select charity_id from right_already)
     and (t.part > 0 or t.charity_id not in (select charity_id from recomputed))
  returning 1
), put as (
  insert into charity_total as t (charity_id, part, points, contributors, reached_at)
  select p.charity_id, 0, p.points, p.contributors, p.reached_at
    from recomputed p
   where p.charity_id not in (select charity_id from right_already)
  on conflict (charity_id, part) do update
     set points = excluded.points, contributors = excluded.contributors, reached_at = excluded.reached_at
  returning 1
)
select (select count(*) from gone) + (select count(*) from put)
