-- log_chain: every entry of the log in its order, with its words as far as they are there, and whether it tells who
-- donated anonymously.
select e.n, e.logged_at, e.action, e.actor, e.kind, e.subject, e.numbers, e.words_hash, e.hash, e.salt, e.reason,
       e.name, e.is_about_anonymous
  from logged_entry e
 order by e.n
