-- campaigns_list: campaigns, the latest last day first, with their milestones and the version of their settings. A
-- campaign without a charity and a board counts all donations. A campaign over a score board ends with its season.
-- $1 text slug: Slug? = nil, null for all
-- returns Campaign
select c.slug, c.name, c.description, case when b.kind = 'donation' and b.slug <> 'overall' then b.slug end as charity,
       g.slug as game, case when b.kind = 'score' then b.slug end as board, b.season, c.first_day, c.last_day,
       day_start(c.first_day, b.zone) as begins_at, campaign_until(c, b) as ends_at, c.goal,
       c.cohort_size, array(select m.points from milestone m where m.campaign_id = c.id order by m.points) as points,
       array(select m.name from milestone m where m.campaign_id = c.id order by m.points) as names,
       case
         when b.season_ended_at < day_start(c.last_day + 1, b.zone) then (b.season_ended_at at time zone b.zone)::date
         else c.last_day
       end as ended_on,
       c.xmin::text as version
  from campaign c
  join board b on b.id = c.board_id
  left join game g on g.id = b.game_id
 where $1::text is null or c.slug = $1
 order by c.last_day desc, c.slug
