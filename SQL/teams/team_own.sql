-- team_own: the team that a player is in, with what its captain sees of its name and when the captain's code was made.
-- $1 bigint player: Player.ID
-- returns OwnTeam
select t.id, case when m.captain then coalesce(t.asked_name, t.name) else t.name end, m.captain, m.first_day,
       case when m.captain then c.made_at end
  from team_of($1) m
  join team t on t.id = m.team_id
  left join code c on c.player_id = $1 and c.kind = 'team'
