-- team_action_newest: the last action of a kind on a team.
-- $1 bigint team: Team.ID   $2 text kind
-- returns UUID
select a.id
  from moderation_action a
 where a.team_id = $1 and a.kind = $2 and a.undone_by is null
 order by a.n desc
 limit 1
