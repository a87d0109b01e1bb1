-- action_undoable: an action that may be undone.
-- $1 uuid action
-- returns UndoableAction
select a.kind, a.player_id, a.into_id, w.name, w.former, a.undone_by is not null as is_undone,
       w.former_asked, w.former_asked_at, coalesce(w.former_waits, false) as former_waits
  from moderation_action a left join log_words w on w.n = a.n
 where a.id = $1
