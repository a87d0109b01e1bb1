-- action_find: an action that was done: what was asked for, the wallet before it and after it, its words, and its entry
-- in the log.
-- $1 uuid action
-- returns KnownAction
select a.player_id, a.asked, a.before, a.after, e.actor, a.acted_at, e.words_hash, w.salt, a.n
  from moderation_action a
  join log_entry e on e.n = a.n
  left join log_words w on w.n = a.n
 where a.id = $1
