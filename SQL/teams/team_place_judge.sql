-- team_place_judge: whether the game's server may put a player into a team. The wallet of the player and the team are
-- locked. Outcome: joined (it may), known (it is in the team), in-team (in another one), full, off (the game has no
-- teams), no-team, no-player.
-- $1 bigint player: Player.ID   $2 bigint team: Team.ID
-- returns TeamOutcome
select case
         when g.id is null then 'no-team'
         when p.id is null or p.name = '' or p.game_id <> g.id then 'no-player'
         when g.teams = 'off' then 'off'
         when m.team_id = t.id then 'known'
         when m.team_id is not null then 'in-team'
         when team_size($2) >= g.team_size then 'full'
         else 'joined'
       end
  from (select 1) one
  left join team t on t.id = $2
  left join effective_game g on g.id = t.game_id
  left join player p on p.id = $1
  left join lateral team_of($1) m on true
