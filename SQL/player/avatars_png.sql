-- avatars_png: pictures by their content's hash; those that are not there are left out.
-- $1 bytea[] SHA-256s
select a.sha256, a.png from avatar a where a.sha256 = any($1::bytea[])
