-- key_game: whose key this is, and what it may do; no row for one that is not known, revoked or beyond its end.
-- $1 bytea key hash   $2 timestamptz now
select g.slug, k.scopes
  from game_key k join game g on g.id = k.game_id
 where k.hash = $1 and k.revoked_at is null and ($2 < k.expires_at) is not false
