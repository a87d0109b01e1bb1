-- key_game: whose key this is; no row for one that is not known, or revoked.
-- $1 bytea key hash
select g.slug from game_key k join game g on g.id = k.game_id where k.hash = $1 and k.revoked_at is null
