-- avatar_images: pictures by their content's hash; those that are not there are left out.
-- $1 bytea[] hashes: [AvatarHash]
-- returns Avatar
select a.sha256, a.png from avatar a where a.sha256 = any($1::bytea[])
