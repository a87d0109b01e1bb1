-- memberships_exported: the teams that a player and those who are one with it were in, the earliest first. A captain
-- gets the name that waits for approval.
-- $1 bigint player: Player.ID
-- returns Membership
select m.team_id, case when m.captain then coalesce(t.asked_name, t.name) else t.name end, m.first_day, m.last_day,
       m.captain
  from member m join team t on t.id = m.team_id
 where m.player_id = any(members($1))
 order by m.first_day, m.player_id
