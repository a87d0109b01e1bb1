-- team_hand_over: makes another member the captain of a team. Codes of the former one end. The wallets of both and the
-- team are locked. Outcome: handed-over, known, no-player (it is not in the team).
-- $1 bigint team: Team.ID   $2 bigint captain: Player.ID   $3 bigint heir: Player.ID
-- returns TeamOutcome
with judged as materialized (
  select case
           when not exists (select from team_of($3) m where m.team_id = $1) then 'no-player'
           when $2 = $3 then 'known'
           else 'handed-over'
         end as outcome
), passed as (
  update member m
     set captain = m.player_id = any(members($3))
    from judged j
   where j.outcome = 'handed-over' and m.team_id = $1 and m.last_day is null
     and m.captain <> (m.player_id = any(members($3)))
), ended as (
  delete from code c using judged j where j.outcome = 'handed-over' and c.player_id = $2 and c.kind = 'team'
)
select j.outcome from judged j
