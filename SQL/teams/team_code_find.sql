-- team_code_find: the team to which a code brings players, and the captain who made it. A code that two have by chance
-- belongs to nobody.
-- $1 bytea code: CodeHash   $2 timestamptz now
-- returns captain: Player.ID?, team: Team.ID?
select min(c.player_id), min((select t.team_id from team_of(c.player_id) t where t.captain))
  from code c
 where c.hash = $1 and c.kind = 'team' and (c.expires_at is null or c.expires_at > $2)
having count(*) = 1
