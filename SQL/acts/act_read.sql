-- act_read: an act as it was done, with its reason, the one that undid it, and whether it tells who gave anonymously.
-- $1 uuid act
select a.kind, a.player_id, e.subject, a.before, a.after, e.actor, a.acted_at, w.reason, w.name, a.undone_by,
       exists (
         select
           from donation d
          where d.player_id = a.player_id and d.anonymous
            and d.id in (a.subject, (select u.subject from act u where u.id = a.subject))
       ) as is_about_anonymous
  from act a
  join log_entry e on e.n = a.n
  left join log_words w on w.n = a.n
 where a.id = $1
