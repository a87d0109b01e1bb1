-- action_read: an action as it was done, with the player whose wallet its sums are of, its entry in the log, its
-- reason, the one that undid it, and whether it tells who donated anonymously.
-- $1 uuid action
-- returns PastAction
select a.kind, a.player_id, coalesce(a.into_id, a.player_id) as wallet_owner, a.n, e.subject, a.before, a.after,
       e.actor, a.acted_at, e.reason, e.name, a.undone_by, e.is_about_anonymous
  from moderation_action a join logged_entry e on e.n = a.n
 where a.id = $1
