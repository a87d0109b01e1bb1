-- campaign_set: changes the settings of a campaign that are not null, and adds milestones. campaign_lock has run in
-- this transaction.
-- Outcome: set, stale, no-campaign, begun (its first day has begun, and is fixed), over (its last day is over, and is
-- fixed), bad-days, no-goal (a campaign over a score board has no goal and no milestones), full (too many milestones),
-- exists (there is such a milestone).
-- $1 text slug: Slug   $2 text name: DisplayName?   $3 text text: String?, '' takes it away
-- $4 date firstDay: Day?   $5 date lastDay: Day?   $6 bigint goal: Int64?, 0 takes it away
-- $7 bigint[] points, of new milestones   $8 text[] names, in the same order   $9 text version: String?
-- $10 timestamptz now   $11 bigint cohort: Int64?, 0 takes it away   $12 int = Limits.milestonesMax
-- returns CampaignOutcome
with judged as materialized (
  select c.id,
         case
           when c.id is null then 'no-campaign'
           when c.xmin::text <> $9::text then 'stale'
           when $4::date <> c.first_day and day_start(least(c.first_day, $4), b.zone) <= $10::timestamptz then 'begun'
           when $5::date <> c.last_day
            and (day_start(c.last_day + 1, b.zone) <= $10 or day_start($5 + 1, b.zone) <= $10) then 'over'
           when coalesce($5, c.last_day) not between coalesce($4, c.first_day) and coalesce($4, c.first_day) + 365
             then 'bad-days'
           when b.kind = 'score' and ($6::bigint > 0 or cardinality($7::bigint[]) > 0) then 'no-goal'
           when exists (select from milestone m where m.campaign_id = c.id and m.points = any($7)) then 'exists'
           when (select count(*) from milestone m where m.campaign_id = c.id) + cardinality($7) > $12::int then 'full'
           else 'set'
         end as outcome
    from (select 1) one left join (campaign c join board b on b.id = c.board_id) on c.slug = $1
), changed as (
  update campaign c
     set name = coalesce($2, c.name),
         description = case when $3::text is null then c.description else nullif($3, '') end,
         first_day = coalesce($4, c.first_day), last_day = coalesce($5, c.last_day),
         goal = case when $6 is null then c.goal else nullif($6, 0) end,
         cohort_size = case when $11::bigint is null then c.cohort_size else nullif($11, 0) end
    from judged j
   where j.outcome = 'set' and c.id = j.id
), marked as (
  insert into milestone (campaign_id, points, name)
  select j.id, m.points, m.name
    from judged j cross join unnest($7, $8::text[]) m (points, name)
   where j.outcome = 'set'
)
select j.outcome from judged j
