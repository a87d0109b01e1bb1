-- audit_charity_totals: what each charity received, by GROUP BY over the funded donations.
-- Rows compared, rows that differ, one of them.
with proof as (
  select d.charity_id, sum(d.points - coalesce(m.unfunded, 0)) as points,
         count(distinct d.player_id) as contributors, max(d.reached_at) as reached_at
    from donation d left join donation_state m on m.player_id = d.player_id and m.id = d.id
   where not coalesce(m.reversed, false) and d.points > coalesce(m.unfunded, 0)
   group by d.charity_id
), kept as (
  select t.charity_id, sum(t.points) as points, sum(t.contributors) as contributors, max(t.reached_at) as reached_at
    from charity_total t
   group by t.charity_id
), compared as (
  select charity_id,
         (k.points, k.contributors, k.reached_at) is distinct from (p.points, p.contributors::numeric, p.reached_at)
         as differs
    from kept k full join proof p using (charity_id)
)
select count(*),
       count(*) filter (where differs),
       'charity ' || min(charity_id) filter (where differs)
  from compared
