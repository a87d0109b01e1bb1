-- act_read: an act as it was done, with its reason, and the one that undid it.
-- $1 uuid act
select a.kind, a.player_id, e.subject, a.before, a.after, e.actor, a.acted_at, w.reason, w.name, a.undone_by
  from act a
  join log_entry e on e.n = a.n
  left join log_words w on w.n = a.n
 where a.id = $1
