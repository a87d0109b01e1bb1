-- charity_totals_add: adds up what each charity received. Each transaction writes rows of a part that no other one
-- writes at the moment, so nobody waits for the row of a charity to which many donate. Parts are tried from the first,
-- so the rows stay few. Charities come in the order of their ids, each once.
-- $1 int[] charity   $2 numeric[] points   $3 bigint[] new contributors   $4 timestamptz[] last arrival
insert into charity_total as c (charity_id, part, points, contributors, reached_at)
select v.charity_id,
       (select p.part
          from (select generate_series(0, 64) as part) p
         where p.part = 64 or pg_try_advisory_xact_lock(1734964837, p.part)
         limit 1),
       v.points, v.contributors, v.reached_at
  from unnest($1::int[], $2::numeric[], $3::bigint[], $4::timestamptz[]) v(charity_id, points, contributors, reached_at)
 order by v.charity_id
on conflict (charity_id, part) do update
   set points = c.points + excluded.points,
       contributors = c.contributors + excluded.contributors,
       reached_at = greatest(c.reached_at, excluded.reached_at)
