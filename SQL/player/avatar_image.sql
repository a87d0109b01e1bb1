-- avatar_image: one picture, and whether a visible player uses it.
-- $1 bytea SHA-256
select a.png, exists (select from player p where p.avatar = a.sha256 and not p.hidden) from avatar a where a.sha256 = $1
