-- charities_top: all charities by points received, best first, also those that received nothing.
-- It reads the few rows that add up what each received. Who donated anonymously is no contributor.
-- $1 timestamptz now
-- returns Charity
select c.id, c.slug, c.name, coalesce(sum(t.points), 0) as points,
       coalesce(sum(t.contributors), 0)::bigint as contributors,
       max(t.reached_at) as reached_at, c.goal, c.url, c.description,
       c.opens_at, c.closes_at, c.closes_at <= $1::timestamptz as final, c.cooling_off, c.cap_day, c.cap_all
  from charity c left join charity_total t on t.charity_id = c.id
 group by c.id
 order by points desc, max(t.reached_at) nulls last, c.id
