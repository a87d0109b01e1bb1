-- cohort_enter: enters a player in a campaign, with a place in the newest cohort, or in a new one if that is full.
-- callers_lock for the player and campaign_lock have run in this transaction.
-- Outcome: entered, known (the player has entered before), no-campaign, no-cohorts (the campaign has no cohorts),
-- other-game (the board is of another game), over, unauthorized, changed (the token now belongs to another player).
-- $1 bytea token: TokenHash   $2 bigint player: Player.ID   $3 text slug: Slug   $4 timestamptz now
-- returns outcome: CohortOutcome, cohort: Int32?, of: Int32?
with judged as materialized (
  select c.id, c.cohort_size, x.cohort, x.room,
         case
           when d.hash is null then 'unauthorized'
           when d.player_id <> $2 then 'changed'
           when c.id is null then 'no-campaign'
           when x.cohort is not null then 'known'
           when c.cohort_size is null then 'no-cohorts'
           when b.game_id <> p.game_id then 'other-game'
           when campaign_until(c, b) <= $4::timestamptz then 'over'
           else 'entered'
         end as outcome
    from (select 1) one
    left join device d on d.token_hash = $1
    left join player p on p.id = d.player_id
    left join (campaign c join board b on b.id = c.board_id) on c.slug = $3
    left join lateral cohort_entry_of($2, c.id) x on true
), newest as materialized (
  select j.id, n.cohort,
         (select count(*) from cohort_member m where m.campaign_id = j.id and m.cohort = n.cohort) as rows
    from judged j
   cross join lateral (
           select coalesce(max(m.cohort), 1) as cohort from cohort_member m where m.campaign_id = j.id
         ) n
   where j.outcome = 'entered'
), added as (
  insert into cohort_member (player_id, campaign_id, cohort, room, entered_at)
  select $2, j.id, n.cohort + case when n.rows >= j.cohort_size then 1 else 0 end, j.cohort_size, $4
    from judged j join newest n on n.id = j.id
  returning cohort, room
)
select j.outcome, coalesce(a.cohort, j.cohort), coalesce(a.room, j.room) from judged j left join added a on true
