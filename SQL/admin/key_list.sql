-- key_list: a game's keys in the order in which they were added.
-- $1 text game slug
select k.id, k.name, k.added_at, k.revoked_at
  from game_key k join game g on g.id = k.game_id
 where g.slug = $1
 order by k.id
