-- team_make: makes a team of a player, whose wallet is locked. member_add then makes the player its captain.
-- Outcome: made, known (the player is the captain of a team with this name), in-team, name-refused, no-room (the game
-- has as many open teams as it may have), off (players of the game make no teams), changed (the token is another
-- player's by now), unauthorized, taken (another team has the id).
-- $1 bytea token: TokenHash   $2 bigint player: Player.ID   $3 bigint team: Team.ID   $4 text name   $5 text skeleton
-- $6 text leetSkeleton   $7 timestamptz now   $8 bigint = Limits.teamsOfGameMax, open teams of a game, at most
-- returns TeamOutcome
with judged as materialized (
  select g.id as game_id, g.names = 'approved' as is_approving,
         -- After an operator renamed a team, its members could make another team with the former name.
         exists (
           select
             from member m join team x on x.id = m.team_id and x.name_waits
            where m.player_id = any(members($2))
         ) as name_waits,
         case
           when d.hash is null then 'unauthorized'
           when d.player_id <> $2 then 'changed'
           when g.teams <> 'codes' then 'off'
           when m.captain and coalesce(t.asked_name, t.name) = $4 then 'known'
           when m.team_id is not null then 'in-team'
           when is_refused_name(g.names, g.refused_skeletons, $5, $6) then 'name-refused'
           when (select count(*) from team x where x.game_id = g.id and x.closed_at is null) >= $8 then 'no-room'
           else 'made'
         end as outcome
    from (select 1) one
    left join device d on d.token_hash = $1
    left join player p on p.id = d.player_id
    left join effective_game g on g.id = p.game_id
    left join lateral team_of($2) m on true
    left join team t on t.id = m.team_id
), made as (
  insert into team (id, game_id, name, asked_name, asked_at, name_waits, made_at)
  select $3, j.game_id, case when w.waits then waiting_team_name($3) else $4 end, case when w.waits then $4 end,
         case when w.waits then $7::timestamptz end, j.name_waits, $7
    from judged j cross join lateral (select j.is_approving or j.name_waits as waits) w
   where j.outcome = 'made'
  on conflict do nothing
  returning id
)
select case when j.outcome = 'made' and not exists (select from made) then 'taken' else j.outcome end from judged j
