-- action_funding: the donations that an action made unfunded, or funded again: then their points are negative.
-- $1 uuid action
-- returns FundingChange(donation, charity, unfunded)
select k.subject, c.slug, sum(case k.kind when 'unfund' then k.points else - k.points end)::bigint as points
  from correction k
 cross join lateral (
         select x.charity_id, x.anonymous
           from donation x
          where x.player_id = k.player_id and x.id = k.subject
         offset 0                          -- found by its key, also by a plan that was made before there was any
       ) d
  join charity c on c.id = d.charity_id
 where k.action = $1 and k.kind in ('fund', 'unfund')
 group by k.player_id, k.subject, c.slug
having sum(case k.kind when 'unfund' then k.points else - k.points end) <> 0
 order by k.subject, k.player_id
