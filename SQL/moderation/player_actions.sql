-- player_actions: the entries of the log about actions on a player and on those who are one with it, the newest first,
-- and whether they tell that it donated anonymously. Those are left out for who may not know it.
-- $1 bigint player   $2 bigint number before which, or null   $3 int rows, 1...101
-- $4 bool whether what was donated anonymously is shown
select e.n, e.logged_at, e.action, e.actor, e.kind, e.subject, e.numbers, e.words_hash, e.hash, e.salt, e.reason,
       e.name, e.is_about_anonymous
  from logged_entry e
 where e.n = any(array(select a.n from moderation_action a where a.player_id = any(members($1))))
   and ($2::bigint is null or e.n < $2)
   and ($4 or not e.is_about_anonymous)
 order by e.n desc
 limit $3::int
