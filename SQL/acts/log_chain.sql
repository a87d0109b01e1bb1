-- log_chain: every entry of the log in its order, with its words as far as they are there.
select e.n, e.logged_at, e.act, e.actor, e.deed, e.subject, e.numbers, e.words_hash, e.hash, w.salt, w.reason, w.name
  from log_entry e left join log_words w on w.n = e.n
 order by e.n
