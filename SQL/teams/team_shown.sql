-- team_shown: the team that a player is in, where everybody may see that.
-- $1 bigint player: Player.ID
-- returns id: Team.ID, name: String
select t.id, t.name
  from team_of($1) m join team t on t.id = m.team_id join effective_game g on g.id = t.game_id
 where not t.hidden and g.teams <> 'off' and g.team_rosters = 'public'
