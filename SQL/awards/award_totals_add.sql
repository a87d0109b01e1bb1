-- award_totals_add: adds to how often awards have been given. It runs after what gave or withdrew them, in the same
-- transaction, and takes its locks in the order of the awards.
-- $1 int[] awards: [Award.ID]   $2 bigint[] changes
-- returns nothing
insert into award_total as t (award_id, given)
select x.award_id, sum(x.change)
  from unnest($1::int[], $2::bigint[]) x (award_id, change)
 group by x.award_id
 order by x.award_id
on conflict (award_id) do update set given = t.given + excluded.given
