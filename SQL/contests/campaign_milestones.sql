-- campaign_milestones: the milestones of a campaign, and when what counts of the ledger first had their points. The day
-- is found by the tallies, and the moment by the donations of that day. An anonymous donation counts from 00:00 of its
-- day.
-- $1 text slug: Slug
-- returns Milestone
with day as materialized (
  select t.day, sum(t.points) as points, sum(sum(t.points)) over (order by t.day) as total
    from campaign c join tally t on t.board_id = c.board_id and t.day between c.first_day and c.last_day
   where c.slug = $1
   group by t.day
), mark as materialized (
  select m.points, m.name, c.board_id, x.day, x.total - x.points as before
    from campaign c
    join milestone m on m.campaign_id = c.id
    left join lateral (
           select d.day, d.points, d.total from day d where d.total >= m.points order by d.day limit 1
         ) x on true
   where c.slug = $1
), moment as materialized (
  -- A day on which several milestones were reached is read once.
  select k.day, k.at, sum(k.points) over (partition by k.day order by k.at, k.player_id, k.id) as total
    from (select distinct m.day, m.board_id from mark m where m.day is not null) x
    join board b on b.id = x.board_id and b.kind = 'donation'
    join charity h on h.board_id = b.id or b.slug = 'overall'
   cross join lateral (
           select x.day, d.player_id, d.id, d.points - coalesce(q.unfunded, 0) as points,
                  case when not d.anonymous then d.reached_at
                       when h.board_id = b.id then d.day_began_at
                       else day_start(x.day, b.zone)
                  end as at
             from donation d
             left join lateral (
                    select y.unfunded, y.reversed
                      from donation_state y
                     where y.player_id = d.player_id and y.id = d.id
                    offset 0
                  ) q on true
            -- The day of a donation is the one in its row, whatever later editions of time zones say.
            where d.charity_id = h.id and d.reached_at >= day_start(x.day, b.zone) - interval '3 hours'
              and d.reached_at < day_start(x.day + 1, b.zone) + interval '3 hours'
              and case when h.board_id = b.id then d.day
                       else (d.reached_at at time zone b.zone)::date
                  end = x.day
              and not coalesce(q.reversed, false) and d.points > coalesce(q.unfunded, 0)
           offset 0
         ) k
)
select m.points, m.name,
       (select min(r.at) from moment r where r.day = m.day and m.before + r.total >= m.points) as reached_at
  from mark m
 order by m.points
