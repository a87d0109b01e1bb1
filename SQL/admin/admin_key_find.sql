-- admin_key_find: an operator's key and what it may do; no row for one that is not known, revoked or beyond its end.
-- $1 bytea key: TokenHash   $2 timestamptz now
-- returns AdminKey
select k.id, k.public_id, k.name, k.scopes, u.used_on
  from game_key k left join key_use u on u.key_id = k.id
 where k.hash = $1 and k.kind = 'admin' and k.revoked_at is null and ($2 < k.expires_at) is not false
