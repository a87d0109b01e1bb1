-- team_hide: hides a team as far as actions say that are not undone. The team is locked, and the action is kept.
-- $1 bigint team: Team.ID
-- returns nothing
update team t
   set hidden = k.hidden
  from (select exists (
                 select from moderation_action a where a.team_id = $1 and a.kind = 'hide' and a.undone_by is null
               ) as hidden) k
 where t.id = $1 and t.hidden <> k.hidden
