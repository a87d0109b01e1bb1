-- player_acts: the entries of the log about acts on a player, the newest first, and whether they tell that it gave
-- anonymously.
-- Those are left out for who may not know it.
-- $1 bigint player   $2 bigint number before which, or null   $3 int rows, 1...101
-- $4 bool whether what was given anonymously is shown
select e.n, e.logged_at, e.act, e.actor, e.deed, e.subject, e.numbers, e.words_hash, e.hash, w.salt, w.reason, w.name,
       exists (
         select
           from act x
           left join act u on u.id = x.subject
           join donation d on d.player_id = x.player_id and d.id in (x.subject, u.subject) and d.anonymous
          where x.n = e.n
       ) as is_about_anonymous
  from act a
  join log_entry e on e.n = a.n
  left join log_words w on w.n = a.n
 where a.player_id = $1 and ($2::bigint is null or a.n < $2)
   and ($4 or not exists (
         select
           from act x
           left join act u on u.id = x.subject
           join donation d on d.player_id = x.player_id and d.id in (x.subject, u.subject) and d.anonymous
          where x.id = a.id
       ))
 order by a.n desc
 limit $3::int
