-- team_join_judge: whether a player may join a team by a code. The wallet of the player and the team are locked.
-- Outcome: joined (it may), known (it is in the team), in-team (in another one), refused (by this code nobody joins),
-- full, off (players of the game join no teams), changed (the token is another player's by now), unauthorized.
-- $1 bytea token: TokenHash   $2 bigint player: Player.ID   $3 bigint team: Team.ID   $4 bytea code: CodeHash
-- $5 bigint captain: Player.ID, who made the code   $6 timestamptz now
-- returns TeamOutcome
select case
         when d.hash is null then 'unauthorized'
         when d.player_id <> $2 then 'changed'
         when g.teams <> 'codes' then 'off'
         when t.id is null or c.player_id is null or t.closed_at is not null or t.hidden or t.game_id <> p.game_id
           or (select k.team_id from team_of($5) k where k.captain) is distinct from t.id
           or (select w.banned from wallet w where w.player_id = $5) then 'refused'
         when m.team_id = t.id then 'known'
         when m.team_id is not null then 'in-team'
         when team_size($3) >= g.team_size then 'full'
         else 'joined'
       end
  from (select 1) one
  left join device d on d.token_hash = $1
  left join player p on p.id = d.player_id
  left join effective_game g on g.id = p.game_id
  left join team t on t.id = $3
  left join code c on c.player_id = $5 and c.kind = 'team' and c.hash = $4
                  and (c.expires_at is null or c.expires_at > $6)
  left join lateral team_of($2) m on true
