-- memberships_exported: the teams that a player and those who are one with it were in, the earliest first.
-- $1 bigint player: Player.ID
-- returns Membership
select m.team_id, t.name, m.first_day, m.last_day, m.captain
  from member m join team t on t.id = m.team_id
 where m.player_id = any(members($1))
 order by m.first_day, m.player_id
