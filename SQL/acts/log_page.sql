-- log_page: entries of the log with their words, the newest first, and whether they tell who gave anonymously.
-- $1 bigint number before which, or null   $2 int rows, 1...101
select e.n, e.logged_at, e.act, e.actor, e.deed, e.subject, e.numbers, e.words_hash, e.hash, w.salt, w.reason, w.name,
       exists (
         select
           from act x
           left join act u on u.id = x.subject
           join donation d on d.player_id = x.player_id and d.id in (x.subject, u.subject) and d.anonymous
          where x.n = e.n
       ) as is_about_anonymous
  from log_entry e left join log_words w on w.n = e.n
 where $1::bigint is null or e.n < $1
 order by e.n desc
 limit $2::int
