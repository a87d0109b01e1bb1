-- demo_charity_totals: adds what charities received from new players, by GROUP BY over the donations.
-- $1 bigint[] players
-- returns nothing
insert into charity_total as c (charity_id, part, points, contributors, reached_at)
select d.charity_id, 0, sum(d.points), count(distinct d.player_id) filter (where not d.anonymous),
       max(d.reached_at) filter (where not d.anonymous)
  from unnest($1::bigint[]) v(player_id)
 cross join lateral (
         select x.charity_id, x.player_id, x.points, x.anonymous, x.reached_at
           from donation x
          where x.player_id = v.player_id
         offset 0                          -- found by its key, also by a plan that was made before there was any
       ) d
 group by d.charity_id
 order by d.charity_id
on conflict (charity_id, part) do update
   set points = c.points + excluded.points,
       contributors = c.contributors + excluded.contributors,
       reached_at = greatest(c.reached_at, excluded.reached_at)
