-- campaign_add: adds a campaign over the donations to a charity, or to all of them, or over a score board.
-- Outcome: added, exists, no-charity, no-board, full (there are as many campaigns as there may be).
-- $1 text slug: Slug   $2 text name: DisplayName   $3 text text: String?
-- $4 text charity: Slug?, or `overall` for all; null for a score board
-- $5 text game: Slug?   $6 text board: Slug?   $7 date firstDay   $8 date lastDay   $9 bigint goal: Int64?
-- $10 bigint[] points, of its milestones   $11 text[] names, in the same order   $12 timestamptz now
-- $13 bigint cohort: Int64?   $14 bigint = Limits.campaignsMax
-- returns CampaignOutcome
with judged as materialized (
  select b.id as board_id,
         case
           when exists (select from campaign c where c.slug = $1) then 'exists'
           when b.id is null then case when $4::text is null then 'no-board' else 'no-charity' end
           when (select count(*) from campaign) >= $14 then 'full'
           else 'added'
         end as outcome
    from (select 1) one
    left join game g on g.slug = $5
    left join board b on b.season_ended_at is null and b.slug = coalesce($4, $6)
                     and b.kind = case when $4 is null then 'score' else 'donation' end
                     and b.game_id is not distinct from g.id
), added as (
  insert into campaign (slug, name, description, board_id, first_day, last_day, goal, cohort_size, added_at)
  select $1, $2, $3, j.board_id, $7, $8, $9, $13::bigint, $12 from judged j where j.outcome = 'added'
  on conflict do nothing
  returning id
), marked as (
  insert into milestone (campaign_id, points, name)
  select a.id, m.points, m.name from added a cross join unnest($10::bigint[], $11::text[]) m (points, name)
)
select case when j.outcome = 'added' and not exists (select from added) then 'exists' else j.outcome end from judged j
