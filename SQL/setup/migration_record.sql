-- migration_record: records that one more migration was applied.
-- $1 int number   $2 text name   $3 bytea SHA-256 of its text   $4 timestamptz now   $5 int compatible since
insert into migration (number, name, checksum, applied_at, compatible_since) values ($1, $2, $3, $4, $5)
