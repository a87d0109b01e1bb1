-- action_team_find: the team that something is about: an action that was done, or is done now, or what waits under an
-- item. No row when it is about no team.
-- $1 uuid action   $2 uuid undone: UUID?, the action that is undone   $3 uuid item: UUID?
-- returns Team.ID
select f.team_id
  from (select coalesce(
                 (select a.team_id from moderation_action a where a.id = $1),
                 (select a.team_id from moderation_action a where a.id = $2),
                 (select q.team_id from queue_item q where q.item = $3)) as team_id) f
 where f.team_id is not null
