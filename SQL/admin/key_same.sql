-- key_same: whether the key of an id is the one that is sent again.
-- $1 uuid id   $2 text admin or game   $3 text game slug, or null of an operator   $4 bytea hash   $5 text name
-- $6 text[] scopes   $7 timestamptz expires or null
select exists (
  select from game_key k left join game g on g.id = k.game_id
   where k.public_id = $1 and k.kind = $2 and g.slug is not distinct from $3 and k.hash = $4 and k.name = $5
     and k.scopes = $6 and k.expires_at is not distinct from $7::timestamptz)
