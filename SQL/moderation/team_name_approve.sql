-- team_name_approve: shows the name that a team has asked for. The team is locked.
-- $1 bigint team: Team.ID
-- returns nothing
update team set name = asked_name, asked_name = null, asked_at = null, name_waits = false
 where id = $1 and asked_name is not null
