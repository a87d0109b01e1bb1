-- log_page: entries of the log with their words, the newest first, and whether they tell who donated anonymously.
-- $1 bigint number before which, or null   $2 int rows, 1...101
select e.n, e.logged_at, e.action, e.actor, e.kind, e.subject, e.numbers, e.words_hash, e.hash, e.salt, e.reason,
       e.name, e.is_about_anonymous
  from logged_entry e
 where $1::bigint is null or e.n < $1
 order by e.n desc
 limit $2::int
