-- award_withdraw: takes an award that was granted back from a player and from those who are one with it.
-- award_totals_add follows. Outcome: withdrawn, known (it does not have it), other-rule, no-award, no-player.
-- $1 bigint player: Player.ID   $2 text award: Slug
-- returns AwardOutcome, award: Award.ID?, rows: Int64
with judged as materialized (
  select p.id as player_id, a.id as award_id,
         case
           when p.id is null then 'no-player'
           when a.id is null then 'no-award'
           when a.rule <> 'granted' then 'other-rule'
           else 'withdrawn'
         end as outcome
    from (select 1) one
    left join player p on p.id = coalesce((select m.survivor_id from merge m where m.player_id = $1), $1)
    left join award a on a.game_id = p.game_id and a.slug = $2
), gone as (
  delete from award_given g
   using judged j
   where j.outcome = 'withdrawn' and g.player_id = any(members(j.player_id)) and g.award_id = j.award_id
     and g.occasion = ''
  returning g.award_id
)
select case when j.outcome = 'withdrawn' and not exists (select from gone) then 'known' else j.outcome end, j.award_id,
       (select count(*) from gone)
  from judged j
