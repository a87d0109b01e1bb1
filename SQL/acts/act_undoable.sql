-- act_undoable: an act that may be undone.
-- $1 uuid act
select a.kind, a.player_id, a.into_id, w.name, w.former, a.undone_by is not null as is_undone,
       w.former_asked, w.former_asked_at, coalesce(w.former_waits, false) as former_waits
  from act a left join log_words w on w.n = a.n
 where a.id = $1
