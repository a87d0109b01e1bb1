-- pictures_sweep: deletes those of some pictures that nobody has and that came before a time. pictures_hold has run
-- earlier in this transaction.
-- $1 bytea[] hashes: [AvatarHash], SHA-256s   $2 timestamptz before
-- returns AvatarHash
delete from avatar a
 where a.sha256 = any($1::bytea[])
   and a.added_at < $2
   and not exists (select from player p where p.avatar = a.sha256)
returning a.sha256
