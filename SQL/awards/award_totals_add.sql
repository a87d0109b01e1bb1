-- award_totals_add: adds to how often awards have been given. It runs after what gave or withdrew them, in the same
-- transaction, and takes its locks in the order of the awards.
-- $1 int[] awards: [Award.ID]   $2 bigint[] changes
-- returns nothing
with change as materialized (
  select x.award_id, sum(x.change) as given
    from unnest($1::int[], $2::bigint[]) x (award_id, change)
   group by x.award_id
)
insert into award_total as t (award_id, given)
-- The new row is checked also where there is one already.
select c.award_id, greatest(c.given, 0) from change c order by c.award_id
on conflict (award_id) do update set given = t.given + (select c.given from change c where c.award_id = t.award_id)
