-- log_chain: every entry of the log in its order, with its words as far as they are there, and whether it tells who
-- gave anonymously.
select e.n, e.logged_at, e.act, e.actor, e.deed, e.subject, e.numbers, e.words_hash, e.hash, w.salt, w.reason, w.name,
       exists (
         select
           from act x
           left join act u on u.id = x.subject
           join donation d on d.player_id = x.player_id and d.id in (x.subject, u.subject) and d.anonymous
          where x.n = e.n
       ) as is_about_anonymous
  from log_entry e left join log_words w on w.n = e.n
 order by e.n
