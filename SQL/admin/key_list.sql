-- key_list: keys in the order in which they were added, without their hashes, and the day of their last use.
-- $1 text kind: KeyKind? = nil, admin or game, or null for both   $2 text game: Slug? = nil, game slug, or null for all
-- $3 uuid id: UUID? = nil, of one key, or null for all   $4 int after = 0, number of the key before the first one
-- $5 int limitRows = .max, rows, at least 1
-- returns KeyListing
select k.id, k.public_id, k.kind, g.slug, k.name, k.scopes, k.added_at, k.expires_at, k.revoked_at, u.used_on
  from game_key k
  left join game g on g.id = k.game_id
  left join key_use u on u.key_id = k.id
 where ($1::text is null or k.kind = $1)
   and ($2::text is null or g.slug = $2)
   and ($3::uuid is null or k.public_id = $3)
   and k.id > $4
 order by k.id
 limit $5::int
