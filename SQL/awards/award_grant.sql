-- award_grant: gives a player an award that is granted. award_totals_add follows.
-- Outcome: granted, known (it has it), other-rule (the award follows from what players do), no-award, no-player.
-- $1 bigint player: Player.ID   $2 text game: Slug?, or null for that of the player   $3 text award: Slug
-- $4 timestamptz now
-- returns AwardOutcome, award: Award.ID?
with survivor as materialized (
  select p.id, p.game_id
    from player p
    join game g on g.id = p.game_id and g.slug = coalesce($2, g.slug)
   where p.id = coalesce((select m.survivor_id from merge m where m.player_id = $1), $1) and p.name <> ''
     -- Nobody is erased between this and the end of the transaction.
     for share of p
), judged as materialized (
  select s.id as player_id, a.id as award_id,
         case
           when s.id is null then 'no-player'
           when a.id is null then 'no-award'
           when a.rule <> 'granted' then 'other-rule'
           when exists (select from awards_of(s.id) w where w.award_id = a.id) then 'known'
           else 'granted'
         end as outcome
    from (select 1) one
    left join survivor s on true
    left join award a on a.game_id = s.game_id and a.slug = $3
), given as (
  insert into award_given (player_id, award_id, given_at)
  select j.player_id, j.award_id, $4 from judged j where j.outcome = 'granted'
  on conflict do nothing
  returning award_id
)
select case when j.outcome = 'granted' and not exists (select from given) then 'known' else j.outcome end, j.award_id
  from judged j
